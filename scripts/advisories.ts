/**
 * `npm run advisories -- <file or folder>…`: checks every package of the lockfile against advisories in the format of OSV
 * (https://ossf.github.io/osv-schema), which was downloaded before, because an install may have no access to a registry.
 * Ends with 0 when none is affected, with 1 when one is, with 2 when the files cannot be read.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { readAdvisories } from './advisories/read-advisories.ts'
import { affectedBy, lockedPackages } from './advisories/match.ts'

const paths = process.argv.slice(2)
process.exitCode = paths.length === 0 ? usage() : check(paths)

function usage(): number {
  console.log(
    'npm run advisories -- <file or folder>…   OSV JSON: https://osv-vulnerabilities.storage.googleapis.com/npm/all.zip',
  )
  return 2
}

function check(files: readonly string[]): number {
  const lockfile = join(import.meta.dirname, '..', 'package-lock.json')
  const packages = lockedPackages(readFileSync(lockfile, 'utf8'))
  let advisories
  try {
    advisories = files.flatMap((file) => readAdvisories(file))
  } catch (thrown) {
    console.log(thrown instanceof Error ? thrown.message : String(thrown))
    return 2
  }
  const found = affectedBy(packages, advisories)
  for (const { name, version, advisory } of found) {
    console.log(`${name} ${version}  ${[advisory.id, ...advisory.aliases].join(', ')}  ${advisory.summary}`)
    console.log(`  ${advisory.fixed.length > 0 ? `fixed in ${advisory.fixed.join(', ')}` : 'no version fixes it yet'}`)
  }
  console.log(`${packages.length} packages, ${advisories.length} advisories, ${found.length} affected`)
  return found.length > 0 ? 1 : 0
}
