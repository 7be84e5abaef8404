import { contractCallRoutes } from '@kassa/contract/sweep-contracts/wallet-routes.ts'
import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'
import { parseUnits } from '@kassa/primitives/money/units.ts'
import { queryOptions } from '@tanstack/react-query'

import { evmWallets } from '../lib/device/evm-wallets.ts'
import type { TronNodes } from '../lib/device/tron-wallets.ts'
import { call } from './client.ts'

/** The wallets of this browser that sign on a blockchain. */
export function browserWalletsQuery(blockchainCode: string) {
  const blockchain = findBlockchain(blockchainCode)
  const isTron = blockchain?.family === 'TRX_Family'
  return queryOptions({
    queryKey: ['browser-wallets', isTron ? blockchainCode : 'evm'],
    queryFn: async () => {
      if (!isTron) return evmWallets()
      // Reads the signed bytes, which other networks do not need.
      const { tronWallets } = await import('../lib/device/tron-wallets.ts')
      return tronWallets(nodesOf(blockchainCode, blockchain.nativeDecimals))
    },
    staleTime: 0,
  })
}

/** @throws RequestError */
function nodesOf(b: string, decimals: number): TronNodes {
  return {
    draft: async (body) => {
      const { gas, fee, balance, ...rest } = await call(contractCallRoutes.draftCall, { params: { b }, body })
      const coins = (amount: string) => parseUnits(amount, decimals)
      return { ...rest, gas: BigInt(gas), fee: coins(fee), balance: coins(balance) }
    },
    send: async (body) => (await call(contractCallRoutes.sendCall, { params: { b }, body })).transactionHash,
  }
}
