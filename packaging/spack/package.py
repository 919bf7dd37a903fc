# SPDX-License-Identifier: MIT
"""Spack: put this file into the folder packages/nqueens of a repository; spack install nqueens."""
from spack.package import *


class Nqueens(MesonPackage):
    """Counts and lists placements of non-attacking queens."""

    homepage = "https://nqueens.invalid"
    url = "https://nqueens.invalid/releases/nqueens-1.0.0.tar.xz"
    license("MIT")

    # The archive's digest comes with a release: spack checksum nqueens
    version("1.0.0")

    variant("mpi", default=False, description="Build nqueens-mpi")
    variant("opencl", default=False, description="Count on GPUs")

    depends_on("c", type="build")
    depends_on("meson@0.61:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("hwloc@2.1:")
    depends_on("sqlite@3.26:")
    depends_on("xxhash@0.8:")
    depends_on("jansson@2.13:")
    depends_on("mpi", when="+mpi")
    depends_on("opencl-c-headers", type="build", when="+opencl")
    depends_on("ocl-icd", type="run", when="+opencl")

    def meson_args(self):
        def feature(name):
            return f"-D{name}={'enabled' if self.spec.satisfies('+' + name) else 'disabled'}"

        return ["-Dtests=disabled", feature("mpi"), feature("opencl")]
