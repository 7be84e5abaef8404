import type { NetworkMode } from '@kassa/primitives/chains/blockchain.ts'
import { assetsIn } from '@kassa/primitives/chains/assets.ts'
import { BLOCKCHAINS, confirmationsIn, findBlockchain } from '@kassa/primitives/chains/blockchains.ts'
import { findCurrency } from '@kassa/primitives/chains/currencies.ts'
import { parseUnits } from '@kassa/primitives/money/units.ts'

import { type Context, inTransaction } from '../../../context.ts'
import type { InactiveCause } from './rows.ts'
import { activateBlockchain, insertAsset, insertBlockchain } from './store.ts'

/** Families that Kassa can send on. */
const SENDING_FAMILIES: ReadonlySet<string> = new Set(['ETH_Family', 'TRX_Family'])

/** Writes the blockchains and assets of this installation's network; existing rows stay unchanged. */
export async function seed(ctx: Context): Promise<void> {
  const mode = ctx.config.network
  await inTransaction(ctx, async (tx) => {
    for (const blockchain of BLOCKCHAINS) {
      const isLocal = mode === 'sandbox' && blockchain.inSandbox === 'always'
      await insertBlockchain(tx, {
        id: blockchain.id,
        code: blockchain.code,
        status: isLocal ? 'active' : 'inactive',
        inactive: isLocal ? null : whyInactive(mode),
        minConfirmations: confirmationsIn(mode, blockchain).minimum,
      })
      if (mode === 'sandbox' && ctx.config.sandboxChains.includes(blockchain.id)) {
        await activateBlockchain(tx, blockchain.id)
      }
    }
    for (const asset of assetsIn(mode)) {
      const blockchain = findBlockchain(asset.blockchain)
      const currency = findCurrency(asset.currency)
      if (!blockchain || !currency) throw new Error(`Asset ${asset.id} names an unknown blockchain or currency`)
      const isPayable = SENDING_FAMILIES.has(blockchain.family)
      const minDepositUnits = parseUnits(asset.minDepositAmount, asset.decimals)
      await insertAsset(tx, {
        ...asset,
        blockchainId: blockchain.id,
        currencyId: currency.id,
        minDepositUnits,
        isPayable,
      })
    }
  })
}

function whyInactive(mode: NetworkMode): InactiveCause {
  return { code: mode === 'sandbox' ? 'not_started' : 'no_node', params: {} }
}
