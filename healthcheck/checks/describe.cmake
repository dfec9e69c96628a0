# Writes OUTPUT, an array of what each of CHECKS prints for --describe.
set(objects "")
foreach(check ${CHECKS})
  execute_process(COMMAND ${check} --describe OUTPUT_VARIABLE object OUTPUT_STRIP_TRAILING_WHITESPACE
    COMMAND_ERROR_IS_FATAL ANY)
  list(APPEND objects "${object}")
endforeach()
list(JOIN objects ",\n" objects)
file(WRITE ${OUTPUT} "[\n${objects}\n]\n")
