/**
 * `npm run unlock-wallet -- --wallet 3 --chain ETH`: lets a hot wallet send again that was locked because its key was used
 * elsewhere, or because the database is older than the chain, once an operator has compared the wallet with an explorer.
 */
import { parseArgs } from 'node:util'

import { findBlockchain } from '../../modules/blockchains/chains/service.ts'
import { unlockHotWallet } from '../../modules/sends/service.ts'
import { CommandRefused, runCommand } from '../with-context.ts'

const USAGE = 'Use: npm run unlock-wallet -- --wallet 3 --chain ETH'

process.exitCode = await runCommand('unlock-wallet', async (ctx) => {
  const { walletId, chain } = readArguments()
  const blockchain = await findBlockchain(ctx, chain)
  if (!blockchain) throw new CommandRefused(`There is no blockchain ${chain}.`)
  const wasLocked = await unlockHotWallet(ctx, { walletId, blockchainId: blockchain.id })
  console.log(
    wasLocked
      ? `Hot wallet ${walletId} sends on ${blockchain.code} again, from the transaction on that the chain is at now.`
      : `Hot wallet ${walletId} was not locked on ${blockchain.code}.`,
  )
  return 0
})

function readArguments(): { walletId: number; chain: string } {
  const { wallet, chain } = values()
  if (chain === undefined || wallet === undefined || !/^\d{1,9}$/.test(wallet)) throw new CommandRefused(USAGE)
  return { walletId: Number(wallet), chain }
}

function values() {
  const text = { type: 'string' } as const
  try {
    return parseArgs({ options: { wallet: text, chain: text } }).values
  } catch {
    throw new CommandRefused(USAGE)
  }
}
