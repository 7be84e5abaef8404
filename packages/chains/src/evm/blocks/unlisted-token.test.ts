import { pad } from 'viem'
import { describe, expect, it } from 'vitest'

import { chainOf } from '../../testing/anvil-chain.ts'
import { TRANSFER_TOPIC } from './transfers.ts'
import { noticeUnlisted, unlistedMoves } from './unlisted-token.ts'

const chain = chainOf('ETH', 'mainnet')
const usdc = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'
const dai = '0x6b175474e89094c44da98b954eedeac495271d0f'
const payer = '0x2222222222222222222222222222222222222222'
const payee = '0x1111111111111111111111111111111111111111'

type FakeLog = { address: string; topics: string[]; data?: string }

function receipt(logs: FakeLog[]) {
  const read = logs.map((log) => ({ data: `0x${'00'.repeat(31)}05`, ...log }))
  const mined = { txHash: '0xt', blockHash: '0x1', height: 1, isSuccess: true, gasUsed: 1n }
  return { ...mined, logs: read, firstLog: 0, raw: {} }
}

describe('evm.unlistedMoves', () => {
  it('names contracts that are not listed, and only what has the form of a transfer', () => {
    const moved = [TRANSFER_TOPIC, pad(payer), pad(payee)]
    const logs = [
      { address: usdc, topics: moved },
      { address: dai, topics: moved },
      { address: dai, topics: [TRANSFER_TOPIC, pad(payer), `0x01${pad(payee).slice(4)}`] },
      { address: dai, topics: [pad('0x01'), pad(payer), pad(payee)] },
      { address: dai, topics: [TRANSFER_TOPIC] },
    ]
    expect(unlistedMoves(chain, receipt(logs))).toEqual([
      { contract: '0x6B175474E89094C44Da98b954EedeAC495271d0F', to: payee },
    ])
  })
})

describe('evm.noticeUnlisted', () => {
  const filter = { assets: new Set<number>(), matches: (key: Uint8Array) => key[19] === 0x11 }
  const block = {
    ...{ height: 1, hash: '0x1', parentHash: '0x0', minedAt: new Date(0) },
    ...{ receiptsRoot: '0x', logsBloom: '0x', raw: {} },
  }
  const notice = (logs: FakeLog[], isSuccess = true) =>
    noticeUnlisted(chain, filter, {
      ...{ block, isProven: true },
      mined: [{ tx: { hash: '0xt' }, receipt: { ...receipt(logs), isSuccess } }],
    })
  const moved = [TRANSFER_TOPIC, pad(payer), pad(payee)]

  it('names contract, receiver, units and the place in the receipt', () => {
    const found = notice([
      { address: usdc, topics: moved },
      { address: dai, topics: moved },
    ])
    expect(found).toEqual([
      {
        ...{ contract: '0x6B175474E89094C44Da98b954EedeAC495271d0F', to: payee, units: 5n, txId: '0xt', leg: 'log:1' },
        block: { height: 1, hash: '0x1', parentHash: '0x0', minedAt: new Date(0) },
      },
    ])
  })

  it('passes over what is no transfer of a strange token to an address of ours', () => {
    expect(notice([{ address: dai, topics: [TRANSFER_TOPIC, pad(payer), pad(payer)] }])).toEqual([])
    expect(notice([{ address: dai, topics: [TRANSFER_TOPIC, pad(payee), pad(payee)] }])).toEqual([])
    expect(notice([{ address: dai, topics: [TRANSFER_TOPIC, pad(payer), `0x01${pad(payee).slice(4)}`] }])).toEqual([])
    expect(notice([{ address: dai, topics: [...moved, pad('0x07')] }])).toEqual([])
    expect(notice([{ address: dai, topics: moved, data: pad('0x00') }])).toEqual([])
    expect(notice([{ address: dai, topics: moved, data: `${pad('0x05')}00` }])).toEqual([])
    expect(notice([{ address: dai, topics: moved }], false)).toEqual([])
    // POLYGON's own contract writes the same log for native money.
    expect(notice([{ address: '0x0000000000000000000000000000000000001010', topics: moved }])).toEqual([])
  })

  it('notices so much of a block and no more', () => {
    const airdrop = Array.from({ length: 500 }, () => ({ address: dai, topics: moved }))
    expect(notice(airdrop)).toHaveLength(200)
  })
})
