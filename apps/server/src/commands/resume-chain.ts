/**
 * `npm run resume-chain -- --chain ETH [--to H]`: lets a halted blockchain be read on, after its nodes were compared. With
 * `--to` reading goes on from that block of ours: what came after is taken back and read again.
 */
import { parseArgs } from 'node:util'

import { requestResume } from '../modules/watch/follow/service.ts'
import { CommandRefused, runCommand } from './with-context.ts'

const USAGE = 'Use: npm run resume-chain -- --chain ETH [--to 100]'

process.exitCode = await runCommand('resume-chain', async (ctx) => {
  const { chain, to } = readArguments()
  await requestResume(ctx, { code: chain, to })
  console.log(
    to === null
      ? `${chain} is read on where it stopped.`
      : `${chain} goes back to block ${to}, takes back what came after, and is read on from there.`,
  )
  return 0
})

function readArguments(): { chain: string; to: number | null } {
  const { chain, to } = values()
  if (chain === undefined || (to !== undefined && !/^\d{1,15}$/.test(to))) throw new CommandRefused(USAGE)
  return { chain: chain.toUpperCase(), to: to === undefined ? null : Number(to) }
}

function values() {
  const text = { type: 'string' } as const
  try {
    return parseArgs({ options: { chain: text, to: text } }).values
  } catch {
    throw new CommandRefused(USAGE)
  }
}
