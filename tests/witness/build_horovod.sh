#!/usr/bin/env bash
# Builds Horovod for the framework that is in an environment already: for the CPU, with gloo, without MPI.
#
#     build_horovod.sh ENVIRONMENT (torch|tensorflow)
#
# The last release is older than both: what stands in its way is changed here, and told on the rules' pages (`stacks.py`).
# Needs a C++ compiler. Nothing is optimised, which makes it quick to build.
set -euo pipefail
python=$(realpath -s "$1/bin/python")
framework=$2
version=0.28.1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

"$python" -m pip install --quiet --disable-pip-version-check \
    "setuptools<81" wheel packaging cloudpickle psutil pyyaml "cmake<4"
cd "$folder"
"$python" -m pip download --quiet --disable-pip-version-check --no-deps --no-build-isolation --no-binary horovod \
    "horovod==$version"
tar xzf "horovod-$version.tar.gz"
cd "horovod-$version"

# Newer C++ than in 2023: the headers of both frameworks ask for it, and newer compilers name <cstdint> no more by chance.
sed -i 's/set(CMAKE_CXX_STANDARD 14)/set(CMAKE_CXX_STANDARD 17)/' CMakeLists.txt
sed -i '/^project(/a set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O0 -g0")' CMakeLists.txt
sed -i 's/-std=c++11 -fPIC/-std=c++17 -fPIC/' third_party/gloo/CMakeLists.txt
if [ "$framework" = torch ]; then
    sed -i 's/set(CMAKE_CXX_STANDARD 14)/set(CMAKE_CXX_STANDARD 20)/' horovod/torch/CMakeLists.txt
    sed -i 's/torch\.torch\.compiled_with_cxx11_abi/torch.compiled_with_cxx11_abi/' cmake/Modules/FindPytorch.cmake
    options=(HOROVOD_WITH_PYTORCH=1 HOROVOD_WITHOUT_TENSORFLOW=1)
else
    # A name that TensorFlow has dropped, operations for XLA that ask for a header outside of its wheel, and the backend of
    # Keras 3 where that of Keras 2 is meant.
    sed -i 's/const std::string& message = status.error_message();/const std::string message(status.message());/' \
        horovod/tensorflow/mpi_ops.cc
    sed -i '/xla_mpi_ops\.cc/d' horovod/tensorflow/CMakeLists.txt
    sed -i 's/from keras import backend as K/from tensorflow.keras import backend as K/' \
        horovod/tensorflow/keras/__init__.py horovod/tensorflow/keras/callbacks.py
    options=(HOROVOD_WITH_TENSORFLOW=1 HOROVOD_WITHOUT_PYTORCH=1)
fi
env PATH="$(dirname "$python"):$PATH" CXXFLAGS="-include cstdint" MAKEFLAGS="-j${JOBS:-2}" "${options[@]}" \
    HOROVOD_WITHOUT_MXNET=1 HOROVOD_WITH_GLOO=1 HOROVOD_WITHOUT_MPI=1 HOROVOD_CPU_OPERATIONS=GLOO \
    "$python" -m pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps .
