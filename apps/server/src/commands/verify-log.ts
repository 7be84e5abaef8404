/**
 * `npm run verify-log -- file [hash] [--excerpt]`: proves an exported activity log by its hashes, CSV or JSON lines, and names
 * each row that was changed, removed, moved or cut off. Needs neither the server nor the database. Ends with 0 only when nothing
 * was found; with a hash that was noted earlier it must stand in the file.
 */
import { createReadStream, existsSync } from 'node:fs'
import { parseArgs } from 'node:util'

import { proveRows, readRows } from '../modules/audit/proof/service.ts'

process.exitCode = await verifyLog(process.argv.slice(2))

async function verifyLog(args: readonly string[]): Promise<number> {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { excerpt: { type: 'boolean', default: false } },
  })
  const [file, noted] = positionals
  if (file === undefined || !existsSync(file)) {
    console.error('Name the exported file: npm run verify-log -- activity-log.csv [a hash you noted] [--excerpt]')
    return 2
  }
  const rows = readRows(createReadStream(file, 'utf8'))
  const proof = await proveRows(rows, { isExcerpt: values.excerpt, noted: noted?.toLowerCase() })
  for (const { line, entry, problem } of proof.findings) console.log(`LINE ${line}, entry ${entry}: ${problem}`)
  if (proof.hasNoted === false) console.log('NOT FOUND: no entry of this file has the hash that was noted.')
  if (proof.findings.some(({ problem }) => problem === 'missing before') && !values.excerpt) {
    console.log('Entries may be missing because the export was filtered; then add --excerpt.')
  }
  if (proof.rows === 0) console.log('The file holds no entry.')
  else {
    const start = proof.isFromBeginning ? 'the first entry' : `the entry after ${proof.first}`
    console.log(`${proof.rows} entries from ${start} to ${proof.head}: ${proof.findings.length} problem(s).`)
  }
  return proof.findings.length === 0 && proof.hasNoted !== false && proof.rows > 0 ? 0 : 1
}
