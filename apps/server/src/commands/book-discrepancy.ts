/**
 * `npm run book-discrepancy -- --chain ETH --address 0x… --asset ETH --amount 0.25 --note "…"`: books what an alarm says
 * is on an address without a transaction, such as a block reward, or that its owner moved away (money.md 4.6).
 */
import { parseArgs } from 'node:util'

import { bookDiscrepancy } from '../modules/reconciliation/service.ts'
import { CommandRefused, runCommand } from './with-context.ts'

const USAGE = 'Use: npm run book-discrepancy -- --chain ETH --address 0x… --asset ETH --amount 0.25 --note "what it is"'

process.exitCode = await runCommand('book-discrepancy', async (ctx) => {
  const { chain, address, asset, amount, note } = readArguments()
  if (!chain || !address || !asset || !amount || !note) throw new CommandRefused(USAGE)
  await bookDiscrepancy(ctx, { chain, address, asset, amount, note })
  console.log(`${amount} ${asset} on ${address} is booked.`)
  return 0
})

function readArguments() {
  const text = { type: 'string' } as const
  try {
    return parseArgs({ options: { chain: text, address: text, asset: text, amount: text, note: text } }).values
  } catch {
    throw new CommandRefused(USAGE)
  }
}
