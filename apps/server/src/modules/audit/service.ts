/**
 * The activity log: who did what, with which result (api.md T, decision 0032). Mount writes entries in the transaction of the
 * change; none is ever changed or removed, and a chain of hashes stands over them.
 */
export { auditHook, flushRefusals, recordByProgram } from './record.ts'
export { checkEntries, sealEntries, verifyEntries } from './seals.ts'
export { listEntryPage } from './read-entries.ts'
