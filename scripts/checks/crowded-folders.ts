import { dirname } from 'node:path'
import type { Outcome } from './outcome.ts'
import { isTestCode, projectPaths } from './source-files.ts'

/** What a reader takes in at one look, and what a screen of an editor shows of a folder. */
const MOST = 14

/** Folders that are lists by nature: each file has the same form, and they are not read together. */
const lists: Readonly<Record<string, string>> = {
  'apps/checkout/src/locales': 'one file per language',
  'apps/dashboard/src/api': 'one file per noun of the contract',
  'apps/dashboard/src/routes': 'one thin file per address',
  'apps/server/src/commands': 'one file per command of the operator’s shell',
  'apps/server/src/db/migrations': 'one file per change of the schema, in the order of their numbers',
  'scripts/checks': 'one file per check',
}

/** Finds folders that hold more than 14 files beside tests, unless a list says why; printed and recorded files are not counted. */
export async function checkCrowdedFolders(root: string, exempt = lists): Promise<Outcome> {
  const counts = new Map<string, number>()
  for (const path of (await projectPaths(root)).filter(isSource)) {
    counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1)
  }
  const crowded = [...counts].filter(([, count]) => count > MOST)
  const exceptions = Object.keys(exempt)
  return {
    findings: crowded
      .filter(([folder]) => !exceptions.includes(folder))
      .map(([file, count]) => ({
        file,
        message: `holds ${count} files beside tests, ${MOST} are allowed: divide it by what its files are about`,
      })),
    note: `${counts.size} folders`,
  }
}

function isSource(path: string): boolean {
  const isPrinted = /(^|\/)(generated|fixtures|build)\//.test(path)
  return (
    /^(apps|packages|scripts)\/.*\.[a-z]+$/.test(path) && !isTestCode(path) && !isPrinted && !path.endsWith('.json')
  )
}
