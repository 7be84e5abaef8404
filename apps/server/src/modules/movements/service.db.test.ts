import type { Leg } from '@kassa/chains/adapter.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from 'kysely'

import { type TestContext, testContext } from '../../testing/context.ts'
import { addOwnAddress, ownAddressesAbove } from '../wallets/own-addresses/service.ts'
import { getAsset, seedBlockchains } from '../blockchains/chains/service.ts'
import { intendMovement, type ObservedMove, recordMovements, revertMovements } from './service.ts'

const ETH = 1
const ETH_FAMILY = 1
const VAULT = {
  blockchainId: ETH,
  address: '0x9858EfFD232B4033E47d90003D41EC34EcaEda94',
  role: 'vault',
  walletId: null,
} as const

let test: TestContext

beforeAll(async () => {
  test = await testContext()
  await seedBlockchains(test.ctx)
})
afterAll(() => test.stop())

describe('addOwnAddress', () => {
  it('adds an address once, in the spelling of its family', async () => {
    await addOwnAddress(test.ctx, VAULT)
    await addOwnAddress(test.ctx, VAULT)
    const own = await ownAddressesAbove(test.ctx, ETH_FAMILY, 0n, 10)
    expect(own).toMatchObject([VAULT])
  })

  it('refuses one that is ours already, as another one', async () => {
    await expect(addOwnAddress(test.ctx, { ...VAULT, role: 'factory' })).rejects.toThrow('is ours already')
  })
})

describe('intendMovement', () => {
  it('keeps the first word about a transaction', async () => {
    const intent = { blockchainId: ETH, txId: '0xab', kind: 'payout', sendId: 7n } as const
    await intendMovement(test.ctx, intent)
    await intendMovement(test.ctx, { ...intent, kind: 'sweep' })
    const { rows } = await sql`SELECT kind, send_id FROM movement_intents`.execute(test.ctx.db)
    expect(rows).toEqual([{ kind: 'payout', send_id: 7n }])
  })
})

describe('recordMovements', () => {
  it('takes a movement again when its chain returns to the block that it had left', async () => {
    const block = { height: 7, hash: `0x${'7'.repeat(64)}`, parentHash: `0x${'6'.repeat(64)}`, minedAt: new Date() }
    const move: ObservedMove = {
      asset: await getAsset(test.ctx, 1),
      from: null,
      to: { role: 'vault', addressId: null, walletId: null, projectId: null },
      transfer: {
        ...{ kind: 'native', assetId: 1, senders: ['0x01'], to: VAULT.address, units: 5n, txId: '0xcd', block },
        ...{ leg: 'value' as Leg, evidence: 'receipt' },
      },
    }
    const record = () => recordMovements(test.ctx, { blockchainId: ETH, tip: 7, finalized: -1, moves: [move] })
    expect(await record()).toMatchObject({ recorded: 1 })
    await revertMovements(test.ctx, { blockchainId: ETH, toHeight: 6 })
    expect(await record()).toMatchObject({ recorded: 1 })
    const { rows } = await sql`SELECT status, revision FROM movements`.execute(test.ctx.db)
    expect(rows).toEqual([{ status: 'seen', revision: 2 }])
  })
})
