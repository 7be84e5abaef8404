import { parseUnits } from '@kassa/primitives/money/units.ts'

import { type Context, inTransaction } from '../../context.ts'
import { findBlockchain, listAssets } from '../blockchains/chains/service.ts'
import { post } from '../ledger/service.ts'
import { endFindingAlarm } from './discrepancy-alarms.ts'
import { endFinding, listFindings } from './discrepancy-store.ts'

export type BookFound = {
  readonly chain: string
  readonly address: string
  readonly asset: string
  readonly amount: string
  /** Why it is no customer's money. */
  readonly note: string
}

/**
 * Books money that came without a transaction, as a person says who found out (money.md 4.6): exactly what the last comparison
 * found, for nobody (`project:dust`).
 * @throws RangeError with what is wrong
 */
export async function bookDiscrepancy(
  ctx: Context,
  { chain, address, asset: code, amount, note }: BookFound,
): Promise<void> {
  const row = await findBlockchain(ctx, chain)
  const asset = (await listAssets(ctx)).find(
    ({ blockchainId, currencyCode }) => blockchainId === row?.id && currencyCode === code.toUpperCase(),
  )
  if (!row || !asset) throw new RangeError(`There is no asset ${code} on ${chain}.`)
  if (note.trim() === '') throw new RangeError('Say in a note what this money is.')
  await inTransaction(ctx, async (tx) => {
    const finding = (await listFindings(tx, row.id)).find(
      (one) => one.assetId === asset.id && one.address.toLowerCase() === address.toLowerCase(),
    )
    if (!finding) throw new RangeError(`Nothing is found on ${address} that the books do not know.`)
    if (finding.units < 0n) throw new RangeError('The chain holds less than the books say: there is nothing to book.')
    if (finding.rescan !== 'done' && finding.rescan !== 'failed') {
      throw new RangeError('Its transaction is still looked for. Wait until that has ended.')
    }
    if (finding.units !== unitsOf(amount, asset.decimals))
      throw new RangeError('Another amount was found. See the alarm.')
    if (!(await endFinding(tx, finding, 'booked', note.trim())))
      throw new RangeError('Somebody else changed it. Look again.')
    await post(tx, { posting: 'deposit.found', found: finding })
    await endFindingAlarm(tx, finding, asset)
  })
}

function unitsOf(amount: string, decimals: number): bigint {
  try {
    return parseUnits(amount, decimals)
  } catch {
    throw new RangeError(`${amount} is no amount.`)
  }
}
