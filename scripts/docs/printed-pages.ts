import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CONTRACT } from '@kassa/contract/contract.ts'
import { bulkJobMachine, bulkRowMachine } from '@kassa/contract/bulk-jobs/machine.ts'
import { depositMachine } from '@kassa/contract/deposits/machine.ts'
import { movementMachine } from '@kassa/contract/movements/machine.ts'
import { memberMachine } from '@kassa/contract/operators/machine.ts'
import { walletMachine } from '@kassa/contract/wallets/machine.ts'
import { openApi } from '@kassa/contract/openapi.ts'
import { paymentMachine } from '@kassa/contract/payments/machine.ts'
import { sendMachine } from '@kassa/contract/sends/machine.ts'
import {
  addressSweepMachine,
  sweepItemMachine,
  sweepMachine,
  sweepPermissionMachine,
} from '@kassa/contract/sweeps/machine.ts'
import { withdrawalMachine } from '@kassa/contract/withdrawals/machine.ts'
import { SHAPES } from '@kassa/contract/shapes.ts'
import { FAKE_CLASSES } from '../../packages/chains/src/testing/fakes/classes.ts'
import { errorsPage } from './errors-page.ts'
import { eventsPage } from './events-page.ts'
import { fakesPage } from './fakes-page.ts'
import { permissionsPage } from './permissions-page.ts'
import { reasonsPage } from './reasons-page.ts'
import { settingsPage } from './settings-page.ts'
import { statesPage } from './states-page.ts'

const MACHINES = [
  paymentMachine,
  depositMachine,
  movementMachine,
  sendMachine,
  walletMachine,
  withdrawalMachine,
  sweepMachine,
  sweepItemMachine,
  addressSweepMachine,
  sweepPermissionMachine,
  bulkJobMachine,
  bulkRowMachine,
  memberMachine,
]

/** Prints every page of docs/generated from the contract and the table of settings: path → text. */
export async function printedPages(root: string): Promise<Map<string, string>> {
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }
  const document = openApi({ groups: CONTRACT, shapes: SHAPES, version })
  return new Map([
    ['docs/generated/openapi.json', `${JSON.stringify(document, null, 2)}\n`],
    ['docs/generated/errors.md', errorsPage(CONTRACT)],
    ['docs/generated/reasons.md', reasonsPage()],
    ['docs/generated/states.md', statesPage(MACHINES)],
    ['docs/generated/permissions.md', permissionsPage(CONTRACT)],
    ['docs/generated/events.md', eventsPage()],
    ['docs/generated/fake-deposits.md', fakesPage(FAKE_CLASSES)],
    ['docs/generated/settings.md', settingsPage()],
  ])
}
