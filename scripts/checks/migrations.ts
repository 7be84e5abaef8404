import type { Finding, Outcome } from './outcome.ts'
import { projectPaths } from './source-files.ts'

const FOLDER = 'apps/server/src/db/migrations/'

/** Numbers that no migration has, and why. A migration that was released keeps its number, so a hole is never filled. */
const holes: Readonly<Record<number, string>> = {
  14: 'was set aside for a feature that came without a table; no release and no commit holds it',
  44: 'was set aside for the mailbox of the sandbox, which came as 53; no release and no commit holds it',
}

/**
 * Finds migrations whose numbers leave a hole without a reason or stand twice. They run in the order of their names, and a
 * database remembers them by name: a missing number looks like a lost file, and of two with one number the order is chance.
 */
export async function checkMigrations(root: string, explained = holes): Promise<Outcome> {
  const files = (await projectPaths(root)).filter((path) => path.startsWith(FOLDER))
  const numbers = files.map((path) => Number(/^(\d{4})-[a-z0-9-]+\.sql$/.exec(path.slice(FOLDER.length))?.[1]))
  const last = Math.max(0, ...numbers.filter(Number.isInteger))
  const missing = Array.from({ length: last }, (_, index) => index + 1).filter((number) => !numbers.includes(number))
  return {
    findings: [
      ...files.flatMap((file, index) => misnamed(file, numbers.indexOf(numbers[index] ?? Number.NaN), index)),
      ...missing.filter((number) => explained[number] === undefined).map(unexplained),
      ...Object.keys(explained)
        .filter((number) => !missing.includes(Number(number)))
        .map((number) => ({ file: FOLDER, message: `Number ${number} is no hole: take its reason off the list` })),
    ],
    note: `${files.length} migrations, ${missing.length} holes`,
  }
}

function misnamed(file: string, first: number, index: number): Finding[] {
  if (first === -1) return [{ file, message: 'A migration is named by four digits and words: 0025-payouts.sql' }]
  return first === index ? [] : [{ file, message: 'Another migration has the same number' }]
}

function unexplained(number: number): Finding {
  return { file: FOLDER, message: `Number ${number} is missing: give the next migration this number, or say why` }
}
