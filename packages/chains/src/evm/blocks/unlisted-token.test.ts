import { pad } from 'viem'
import { describe, expect, it } from 'vitest'

import { chainOf } from '../../testing/anvil-chain.ts'
import { unlistedTransfers } from './unlisted-token.ts'
import { TRANSFER_TOPIC } from './transfers.ts'

const chain = chainOf('ETH', 'mainnet')
const usdc = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'
const dai = '0x6b175474e89094c44da98b954eedeac495271d0f'
const payer = '0x2222222222222222222222222222222222222222'
const payee = '0x1111111111111111111111111111111111111111'

function receipt(logs: { address: string; topics: string[] }[]) {
  const read = logs.map((log) => ({ ...log, data: `0x${'00'.repeat(31)}05` }))
  const mined = { txHash: '0xt', blockHash: '0x1', height: 1, isSuccess: true, gasUsed: 1n }
  return { ...mined, logs: read, firstLog: 0, raw: {} }
}

describe('evm.unlistedTransfers', () => {
  it('names contracts that are not listed, and only what has the form of a transfer', () => {
    const moved = [TRANSFER_TOPIC, pad(payer), pad(payee)]
    const logs = [
      { address: usdc, topics: moved },
      { address: dai, topics: moved },
      { address: dai, topics: [TRANSFER_TOPIC, pad(payer), `0x01${pad(payee).slice(4)}`] },
      { address: dai, topics: [pad('0x01'), pad(payer), pad(payee)] },
      { address: dai, topics: [TRANSFER_TOPIC] },
    ]
    expect(unlistedTransfers(chain, receipt(logs))).toEqual([
      { contract: '0x6B175474E89094C44Da98b954EedeAC495271d0F', to: payee },
    ])
  })
})
