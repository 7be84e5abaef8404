import { tmpdir } from 'node:os'

/** Where tests keep databases and data folders: what `npm test` chose, or a folder the user of PostgreSQL may enter. */
export const TEMPORARY = process.env.KASSA_TEST_FOLDER ?? (process.getuid?.() === 0 ? '/tmp' : tmpdir())
