# SPDX-License-Identifier: MIT
# Makes a string literal of C of a text.
s/["\\]/\\&/g
s/.*/"&\\n"/
