/** Proves an exported log: without a server, without a database. */
export { proveRows } from './file-rules.ts'
export { readRows } from './read-file.ts'
