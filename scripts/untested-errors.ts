/** `npm run routes:untested-errors`: the error codes that routes declare and no test names. */
import { join } from 'node:path'
import { CONTRACT } from '@kassa/contract/contract.ts'
import { untestedErrors } from './checks/untested-errors.ts'

const rows = await untestedErrors(join(import.meta.dirname, '..'), CONTRACT)
for (const { code, routes } of rows) console.log(`${code.padEnd(28)} ${routes.join(' ')}`)
console.log(
  rows.length === 0
    ? 'Every declared error code is named by a test.'
    : `\n${rows.length} declared codes without a test`,
)
