# SPDX-License-Identifier: MIT
# Turns a text into string literals of C, one for each line.
s/["\\]/\\&/g
s/.*/"&\\n"/
