import { blockchainChangesRoutes } from '@kassa/contract/blockchains/change-routes.ts'
import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import { contractWalletsRoutes } from '@kassa/contract/wallets/contract-routes.ts'
import { hotWalletsRoutes } from '@kassa/contract/wallets/hot-routes.ts'
import { contractAddressesRoutes } from '@kassa/contract/sweep-contracts/address-routes.ts'
import { approvedSweepsRoutes, sweepApprovalsRoutes } from '@kassa/contract/sweeps/approval-routes.ts'
import { coldWalletsRoutes } from '@kassa/contract/wallets/cold-routes.ts'
import { sandboxRoutes } from '@kassa/contract/sandbox/routes.ts'
import type { OwnerQuestion } from '@kassa/contract/sandbox/schemas.ts'
import { sweepContractsRoutes } from '@kassa/contract/sweep-contracts/routes.ts'
import { sweepsRoutes } from '@kassa/contract/sweeps/routes.ts'
import { walletsRoutes } from '@kassa/contract/wallets/routes.ts'
import { tronAdapter } from '@kassa/chains/tron/adapter.ts'
import { chainIn } from '@kassa/chains/chain.ts'
import { readHoldings } from '@kassa/chains/tron/state/holdings.ts'
import { codeHashOf, ownerCallData } from '@kassa/keys/vault-calls.ts'
import { trx } from '@kassa/primitives/chains/definitions/trx.ts'
import { SANDBOX_TRON_TOKENS } from '@kassa/primitives/chains/sandbox-tokens.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

import { INVARIANTS } from '../app.ts'
import { asSystem } from '../context.ts'
import { openSession } from '../modules/blockchains/nodes/service.ts'
import { followOwnWallets } from '../modules/sweeps/following/service.ts'
import { checkLedger } from '../modules/reconciliation/service.ts'
import type { TestApp } from '../testing/app.ts'
import { type SandboxApp, sandboxApp } from '../testing/sandbox-app.ts'
import { payoutShop } from '../testing/money-out/payouts.ts'
import { tronSigner } from '../testing/money-out/tron-signer.ts'
import { accountXpub, newAccount, openShop } from '../testing/shop.ts'

const [TRX, USDT] = [3, 13]

let sandbox: SandboxApp
let app: TestApp
let key: string

beforeAll(async () => {
  sandbox = await sandboxApp()
  ;({ app, key } = sandbox)
})
afterAll(() => sandbox.stop())

const switchTron = (status: 'active' | 'inactive') =>
  app.call(blockchainChangesRoutes.changeBlockchain, { params: { x: 'TRX' }, body: { status } }, { key })
const running = async () => (await app.call(sandboxRoutes.getSandbox, {}, { key })).body.chains.map(({ code }) => code)
/** The balance of an address on chain, of the test USDT by default. */
async function balanceOf(address: string, asset = USDT): Promise<bigint> {
  const session = await openSession(asSystem(app.ctx), TRX)
  if (!session) throw new Error('TRON has no node')
  return readHoldings(session, address, asset)
}
/** What the sandbox's own wallet answers, which plays that of the merchant. */
async function askOwner(method: OwnerQuestion['method'], ...params: unknown[]): Promise<unknown> {
  const question = { params: { b: 'TRX' }, body: { method, params } }
  const asked = await app.call(sandboxRoutes.askOwnerWallet, question, { key })
  expect(asked.refusal).toBeUndefined()
  return asked.body.result
}
/** The contract of a wallet, and the salt of the address that the customer USDT was given. */
async function contractOf(walletId: number): Promise<{ vault: string; deposit: bigint }> {
  const { rows } = await sql<{ vault: string; salt: number }>`
    SELECT vault.vault, address.derivation_index AS salt FROM wallet_vaults AS vault
    JOIN addresses AS address ON address.wallet_id = vault.wallet_id
    JOIN customers AS customer ON customer.id = address.customer_id AND customer.customer_id = 'USDT'
    WHERE vault.wallet_id = ${walletId}`.execute(app.ctx.db)
  return { vault: rows[0]?.vault ?? '', deposit: BigInt(rows[0]?.salt ?? 0) }
}
/** What the ledger and the chain say that addresses of TRON hold, by asset that is held or differs. */
async function driftOf(): Promise<{ text: string; isDifference: boolean }[]> {
  const { drift } = await checkLedger(asSystem(app.ctx), [])
  return drift
    .filter(({ asset, ledger, chain }) => asset.blockchainCode === 'TRX' && (ledger !== 0n || chain !== 0n))
    .map(({ asset, ledger, chain }) => ({
      text: `${asset.currencyCode} ${ledger} ${chain}`,
      isDifference: ledger !== chain,
    }))
}
async function sweptBy(id: number, networkFeeCurrency: string | null = 'TRX'): Promise<void> {
  const read = async () => {
    await followOwnWallets(asSystem(app.ctx))
    return (await app.call(sweepsRoutes.getSweep, { params: { id } }, { key })).body
  }
  const wanted = { status: 'completed', sweptCount: 1, networkFeeCurrency }
  await vi.waitFor(async () => expect(await read()).toMatchObject(wanted), { timeout: 60_000, interval: 500 })
}
const stateOf = async (reference: string) =>
  (await app.call(paymentsRoutes.getPaymentByReference, { params: { ref: reference } })).body

describe('the sandbox’s TRON', () => {
  it('starts when it is switched on, and takes a payment in USDT', async () => {
    expect(await running()).toEqual(['ETH', 'BASE'])
    expect((await switchTron('active')).status).toBe(200)
    await vi.waitFor(async () => expect(await running()).toContain('TRX'), 20_000)

    await app.start('watcher')
    const shop = await openShop(app, key)
    const xpubs = [{ family: 'TRX_Family', xpub: accountXpub() }]
    const wallet = { name: 'TRON', projectID: shop.projectId, xpubs }
    expect((await app.call(walletsRoutes.addDepositWallet, { body: wallet }, { key })).status).toBe(201)
    const created = await app.call(
      paymentsRoutes.createPayment,
      { body: { customerID: 'c1', customerEmail: 'c1@x.example', amountInUSD: '20' } },
      { key: shop.apiKey },
    )
    const reference = created.body.reference_id
    const options = async () => (await app.call(paymentsRoutes.listPaymentOptions, { params: { ref: reference } })).body
    await vi.waitFor(
      async () =>
        expect(await options()).toContainEqual(expect.objectContaining({ blockchainCode: 'TRX', ready: true })),
      20_000,
    )
    const paid = await app.call(
      sandboxRoutes.payAsCustomer,
      { params: { ref: reference }, body: { blockchainCode: 'TRX', currencyCode: 'USDT' } },
      { key },
    )
    expect(paid.refusal).toBeUndefined()
    expect(paid.body.txHash).toMatch(/^[0-9a-f]{64}$/)
    await vi.waitFor(
      async () => expect(await stateOf(reference)).toMatchObject({ paymentState: 'FILLED', filledAmount: '20' }),
      { timeout: 40_000, interval: 300 },
    )
    const { depositAddress, explorerTransaction } = await stateOf(reference)
    expect(depositAddress).toMatch(/^T[1-9A-HJ-NP-Za-km-z]{33}$/)
    const page = await app.http.inject({
      method: 'GET',
      url: new URL(explorerTransaction, 'http://localhost').pathname,
    })
    expect(page.body).toContain('20 USDT')
  })

  it('is where a hot wallet is filled and pays out, once, and the books agree', async () => {
    await app.start('sender')
    const shop = await payoutShop(app, key, 'Payouts')
    const hot = await app.call(
      hotWalletsRoutes.addHotWallet,
      { params: { f: 'TRX_Family' }, body: { name: 'TRON', generate: true, functions: ['gas', 'payout'] } },
      { key },
    )
    expect(hot.refusal).toBeUndefined()
    for (const [currencyCode, amount] of [
      ['TRX', '500'],
      ['USDT', '300'],
    ] as const) {
      const body = { walletID: hot.body.id, blockchainCode: 'TRX', currencyCode, amount }
      expect((await app.call(sandboxRoutes.fundWallet, { body }, { key })).refusal).toBeUndefined()
    }
    const payee = 'TSeJkUh4Qv67VNFwY8LaAxERygNdy6NQZK'
    const asked = await shop.ask({ blockchainCode: 'TRX', currencyCode: 'USDT', amount: '120.5', toAddress: payee })
    expect(asked.refusal).toBeUndefined()
    expect((await shop.approve(asked.body.id)).refusal).toBeUndefined()
    // Looked at while the payout leaves, gets into a block, becomes final and is booked: at no moment a difference.
    const differences: string[] = []
    await vi.waitFor(
      async () => {
        differences.push(...(await driftOf()).filter(({ isDifference }) => isDifference).map(({ text }) => text))
        const { body } = await shop.read(asked.body.id)
        expect([body.status, body.waitReason]).toEqual(['processed', null])
      },
      { timeout: 60_000, interval: 50 },
    )
    expect(differences).toEqual([])
    const held = await balanceOf(payee)
    expect(held).toBe(120_500_000n)
    await vi.waitFor(
      async () =>
        expect((await driftOf()).map(({ text }) => text)).toEqual([
          expect.stringMatching(/^TRX 4\d{8} 4\d{8}$/),
          'USDT 199500000 199500000',
        ]),
      { timeout: 40_000, interval: 500 },
    )
  }, 120_000)

  it('has a contract of its owner command deposit addresses, and sweeps TRX and USDT to the cold address', async () => {
    const cold = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'
    const shop = await openShop(app, key, 'Contract')
    const where = { b: 'TRX', type: 'factory_contract' }
    const factory = (await app.call(sweepContractsRoutes.findContract, { params: where }, { key })).body
    const code = String(await askOwner('eth_getCode', factory.address, 'latest'))
    expect(codeHashOf(code)).toBe(factory.codeHash)
    const salt = `0x${'5a'.repeat(32)}`
    const data = ownerCallData({ kind: 'createVault', salt, collector: cold })
    const transactionHash = String(await askOwner('eth_sendTransaction', { to: factory.address, data }))
    const addContract = () =>
      app.call(
        contractWalletsRoutes.addContractWallet,
        { params: { id: factory.id }, body: { transactionHash } },
        { key },
      )
    await vi.waitFor(async () => expect((await addContract()).status).toBe(201), { timeout: 20_000, interval: 300 })
    const wallet = (await addContract()).body
    const wallets = [{ walletID: wallet.id, blockchainFamily: 'TRX_Family' }]
    const linked = await app.call(walletsRoutes.linkWallets, { params: { p: shop.p }, body: { wallets } }, { key })
    expect(linked.refusal).toBeUndefined()

    for (const currencyCode of ['USDT', 'TRX']) {
      const body = { customerID: currencyCode, customerEmail: 'c@x.example', amountInUSD: '2000' }
      const { reference_id: ref } = (await app.call(paymentsRoutes.createPayment, { body }, { key: shop.apiKey })).body
      const choice = { blockchainCode: 'TRX', currencyCode }
      const pay = () => app.call(sandboxRoutes.payAsCustomer, { params: { ref }, body: choice }, { key })
      await vi.waitFor(async () => expect((await pay()).refusal).toBeUndefined(), { timeout: 20_000, interval: 300 })
      await vi.waitFor(async () => expect(await stateOf(ref)).toMatchObject({ paymentState: 'FILLED' }), {
        timeout: 40_000,
        interval: 300,
      })
      const asset = currencyCode === 'TRX' ? TRX : USDT
      const before = await balanceOf(cold, asset)
      const planned = await vi.waitFor(
        async () => {
          const plan = await app.call(sweepsRoutes.planSweep, { body: choice }, { key })
          expect(plan.body.batches).toMatchObject([{ fundCollectorAddress: cold, addressCount: 1 }])
          return plan.body
        },
        { timeout: 40_000, interval: 1_000 },
      )
      const started = await app.call(sweepsRoutes.startSweep, { body: { planID: planned.planID } }, { key })
      await sweptBy(started.body.sweeps[0]?.id ?? 0)
      expect((await balanceOf(cold, asset)) - before).toBe(currencyCode === 'TRX' ? 8_000_000_000n : 2_000_000_000n)
    }
    expect((await checkLedger(asSystem(app.ctx), INVARIANTS)).broken).toEqual([])

    // A stranger may sweep as well: it goes to the same end, and leaves the same books, on whichever branch it is mined.
    const { vault, deposit } = await contractOf(wallet.id)
    const again = { customerID: 'USDT', customerEmail: 'c@x.example', amountInUSD: '300' }
    const { reference_id: ref } = (await app.call(paymentsRoutes.createPayment, { body: again }, { key: shop.apiKey }))
      .body
    const choice = { blockchainCode: 'TRX', currencyCode: 'USDT' }
    expect(
      (await app.call(sandboxRoutes.payAsCustomer, { params: { ref }, body: choice }, { key })).refusal,
    ).toBeUndefined()
    await vi.waitFor(async () => expect(await stateOf(ref)).toMatchObject({ paymentState: 'FILLED' }), {
      timeout: 40_000,
      interval: 300,
    })
    const items = [{ id: deposit, units: 300_000_000n }]
    const foreign = tronAdapter.vaults.call(vault, { kind: 'sweepToken', token: SANDBOX_TRON_TOKENS.usdt, items })
    const txHash = await askOwner('eth_sendTransaction', { to: foreign.to, data: foreign.data })
    await app.call(sandboxRoutes.reorganise, { params: { b: 'TRX' }, body: { depth: 1 } }, { key })
    await vi.waitFor(
      async () => {
        const { rows } = await sql<{ status: string; units: string }>`
          SELECT status, units FROM sweeps WHERE tx_id = ${String(txHash)}`.execute(app.ctx.db)
        expect(rows).toEqual([{ status: 'completed', units: '300000000' }])
      },
      { timeout: 40_000, interval: 500 },
    )
    const { broken, drift } = await checkLedger(asSystem(app.ctx), INVARIANTS)
    expect(broken).toEqual([])
    expect(drift.filter(({ ledger, chain }) => ledger !== chain)).toEqual([])
    const heldHere = drift.filter(({ asset, chain }) => asset.blockchainCode === 'TRX' && chain > 0n)
    expect(heldHere.map(({ asset }) => asset.currencyCode).toSorted()).toEqual(['TRX', 'USDT'])
  }, 240_000)

  it('has addresses with keys approve with TRX from the hot wallet, then sweeps them, and sends TRX by their own keys', async () => {
    const cold = 'TSeJkUh4Qv67VNFwY8LaAxERygNdy6NQZK'
    const shop = await openShop(app, key, 'Approvals')
    const account = newAccount()
    const wallet = {
      ...{ name: 'Keys', projectID: shop.projectId },
      xpubs: [{ family: 'TRX_Family', xpub: account.publicExtendedKey }],
    }
    expect((await app.call(walletsRoutes.addDepositWallet, { body: wallet }, { key })).status).toBe(201)
    const coldWallet = { params: { id: 'TRX' }, body: { name: 'Ledger', address: cold } }
    expect((await app.call(coldWalletsRoutes.addColdWallet, coldWallet, { key })).refusal).toBeUndefined()
    const factory = tronAdapter.vaults.factory(chainIn('sandbox', trx))
    const data = ownerCallData({ kind: 'createVault', salt: `0x${'a9'.repeat(32)}`, collector: cold })
    const transactionHash = String(await askOwner('eth_sendTransaction', { to: factory, data }))
    const owner = String(((await askOwner('eth_accounts')) as string[])[0])
    const vault = tronAdapter.vaults.vault(chainIn('sandbox', trx), { owner, salt: `0x${'a9'.repeat(32)}` })
    const contract = {
      params: { b: 'TRX', name: 'sweep_approval' },
      body: { address: vault, transactionHash, fundCollectorAddress: cold },
    }
    await vi.waitFor(
      async () =>
        expect((await app.call(contractAddressesRoutes.registerContractAddress, contract, { key })).status).toBe(201),
      { timeout: 20_000, interval: 300 },
    )
    const sign = tronSigner(app, { key, account, vault, collector: cold })
    for (const currencyCode of ['USDT', 'TRX'] as const) {
      const named = { params: { b: 'TRX', c: currencyCode } }
      const body = { customerID: `keys-${currencyCode}`, customerEmail: 'k@x.example', amountInUSD: '400' }
      const choice = { blockchainCode: 'TRX', currencyCode }
      const paid = async () => {
        const { body: payment } = await app.call(paymentsRoutes.createPayment, { body }, { key: shop.apiKey })
        const params = { ref: payment.reference_id }
        const pay = () => app.call(sandboxRoutes.payAsCustomer, { params, body: choice }, { key })
        await vi.waitFor(async () => expect((await pay()).refusal).toBeUndefined(), { timeout: 20_000, interval: 300 })
      }
      await paid()
      const idle = await vi.waitFor(
        async () => {
          const found = await app.call(sweepApprovalsRoutes.listPendingApprovals, { ...named, query: {} }, { key })
          // What is left of the gas of an approval stays where it is.
          const rows = found.body.data.filter(({ balance }) => balance === (currencyCode === 'TRX' ? '1600' : '400'))
          expect(rows).toHaveLength(1)
          return rows
        },
        { timeout: 40_000, interval: 500 },
      )
      const ids = idle.map(({ addressID }) => addressID)
      const asset = currencyCode === 'TRX' ? TRX : USDT
      const before = await balanceOf(cold, asset)
      const batch = await app.call(
        sweepApprovalsRoutes.requestApprovals,
        { ...named, body: { addressIDs: ids } },
        { key },
      )
      expect(batch.refusal).toBeUndefined()
      const isToken = currencyCode === 'USDT'
      expect(batch.body.approvals).toMatchObject([
        {
          kind: isToken ? 'approve_tx' : 'transfer_tx',
          nonce: null,
          chainId: 31_341,
          to: isToken ? SANDBOX_TRON_TOKENS.usdt : cold,
        },
      ])
      // Its address never held a TRX: the first ones activate its account.
      expect(batch.body.gasTopUps).toHaveLength(isToken ? 1 : 0)
      const { batchID } = batch.body
      const posting = { ...named, body: { batchID, signatures: await sign(currencyCode, batchID) } }
      const posted = await app.call(sweepApprovalsRoutes.postSignatures, posting, { key })
      expect(posted.body).toMatchObject({ accepted: 1, rejected: [] })
      const states = async () =>
        (await app.call(sweepApprovalsRoutes.listSignatures, { ...named, query: { batchID } }, { key })).body.data
      await vi.waitFor(async () => expect(await states()).toMatchObject([{ state: isToken ? 'approved' : 'swept' }]), {
        timeout: 60_000,
        interval: 500,
      })
      if (!isToken) {
        const units = BigInt(batch.body.approvals[0]?.value ?? 0)
        expect(units).toBeGreaterThan(1_590_000_000n)
        expect((await balanceOf(cold, asset)) - before).toBe(units)
        continue
      }
      const initiation = { ...named, body: { addressIDs: ids, execute: true } }
      const started = await app.call(approvedSweepsRoutes.initiateSweep, initiation, { key })
      expect(started.refusal).toBeUndefined()
      await sweptBy(started.body.sweepID)
      expect((await balanceOf(cold, asset)) - before).toBe(400_000_000n)
      // The wallet of the owner may send the next one, and its hash says where to look.
      await paid()
      const handed = await vi.waitFor(
        async () => {
          const own = { ...named, body: { addressIDs: ids, execute: false } }
          const { body, refusal } = await app.call(approvedSweepsRoutes.initiateSweep, own, { key })
          expect(refusal).toBeUndefined()
          return body
        },
        { timeout: 40_000, interval: 500 },
      )
      const { to, data: callData } = handed.transaction
      const txHash = String(await askOwner('eth_sendTransaction', { to, data: callData }))
      const report = { params: { b: 'TRX' }, body: { sweepID: handed.sweepID, txHash } }
      expect((await app.call(sweepsRoutes.recordSweepTransaction, report, { key })).refusal).toBeUndefined()
      await sweptBy(handed.sweepID, null)
      expect((await balanceOf(cold, asset)) - before).toBe(800_000_000n)
    }
    await vi.waitFor(
      async () => {
        const { broken, drift } = await checkLedger(asSystem(app.ctx), INVARIANTS)
        expect(broken).toEqual([])
        expect(drift.filter(({ ledger, chain }) => ledger !== chain)).toEqual([])
      },
      { timeout: 20_000, interval: 500 },
    )
  }, 240_000)

  it('stops when it is switched off', async () => {
    expect((await switchTron('inactive')).status).toBe(200)
    await vi.waitFor(async () => expect(await running()).not.toContain('TRX'), 20_000)
  })
})
