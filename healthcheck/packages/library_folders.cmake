# The folders where programs look for libraries: the same in the build folder as where they are installed. CMake would
# fill a path of the build folder's own up with an empty entry, which to the loader is the current folder.
set(CMAKE_BUILD_WITH_INSTALL_RPATH ON)
set(folders ${mpi_LIBRARY_DIRS} ${NCCL_LIBRARY} ${CUBLAS_LIBRARY})
list(FILTER folders EXCLUDE REGEX NOTFOUND)
list(TRANSFORM folders REPLACE "/[^/]*\\.so$" "")
list(REMOVE_ITEM folders ${CMAKE_CXX_IMPLICIT_LINK_DIRECTORIES})
list(TRANSFORM folders REPLACE ${PROJECT_BINARY_DIR} $ORIGIN/..)  # of a toolkit of wheels
set(CMAKE_INSTALL_RPATH $ORIGIN/../lib/muster ${folders})
