/**
 * `npm run rescan -- --chain BASE --from H --to H [--reason "…"]`, or `--chain BASE --tx T`: has blocks or one transaction read
 * again by the running Kassa, shows how it goes on, and ends with 0 when all was read. Interrupting it interrupts only the
 * watching: the rescan goes on.
 */
import { parseArgs } from 'node:util'

import type { Context } from '../context.ts'
import { findBlockchain } from '../modules/blockchains/chains/service.ts'
import { type Rescan, requestRescan, requestTransactionRescan, rescanById } from '../modules/watch/rescan/service.ts'
import { CommandRefused, runCommand } from './with-context.ts'

const USAGE = 'Use: npm run rescan -- --chain BASE --from 100 --to 200 [--reason "…"], or --chain BASE --tx 0x…'

/** How often the record is looked at. */
const LOOK_MS = 1_000

/** A worker that runs takes a rescan well within this time. */
const NOBODY_MS = 60_000

process.exitCode = await runCommand('rescan', async (ctx) => {
  const rescan = await ask(ctx)
  console.log(`Rescan ${rescan.id} is asked for; a running Kassa does it.`)
  return follow(ctx, rescan)
})

async function ask(ctx: Context): Promise<Rescan> {
  const { chain, from, to, tx, reason } = readArguments()
  const row = chain === undefined ? undefined : await findBlockchain(ctx, chain)
  if (!row) throw new CommandRefused(chain === undefined ? USAGE : `There is no blockchain ${chain}.`)
  const why = { blockchainId: row.id, reason: reason ?? 'command line', by: 'command line' }
  if (tx !== undefined) return requestTransactionRescan(ctx, { ...why, txId: tx.toLowerCase() })
  return requestRescan(ctx, { ...why, from: heightOf(from), to: heightOf(to) })
}

function readArguments() {
  const text = { type: 'string' } as const
  try {
    return parseArgs({ options: { chain: text, from: text, to: text, tx: text, reason: text } }).values
  } catch {
    throw new CommandRefused(USAGE)
  }
}

function heightOf(text: string | undefined): number {
  if (text === undefined || !/^\d{1,15}$/.test(text)) throw new CommandRefused(USAGE)
  return Number(text)
}

async function follow(ctx: Context, asked: Rescan): Promise<number> {
  let rescan = asked
  let movedAt = Date.now()
  let place = ''
  while (rescan.state === 'open') {
    const now = `block ${rescan.range?.from ?? '?'} of ${rescan.range?.to ?? '?'}, ${rescan.found} found`
    if (now !== place) movedAt = Date.now()
    if (now !== place) console.log(now)
    if (now === place && Date.now() - movedAt > NOBODY_MS) {
      console.log(
        'Nothing has moved for a minute: it waits for a running Kassa, its node, or the block. Look again later.',
      )
      return 1
    }
    place = now
    await ctx.sleep(LOOK_MS, new AbortController().signal)
    rescan = (await rescanById(ctx, rescan.id)) ?? rescan
  }
  if (rescan.error !== null) console.log(rescan.error)
  if (rescan.state === 'done') console.log(`Done: ${rescan.found} deposit(s) were found that were not known before.`)
  return rescan.state === 'done' ? 0 : 1
}
