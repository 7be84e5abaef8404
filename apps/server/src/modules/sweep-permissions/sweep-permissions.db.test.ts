import { type AnvilChain, openAnvilChain } from '@kassa/chains/testing/anvil-chain.ts'
import { coldWalletsRoutes } from '@kassa/contract/wallets/cold-routes.ts'
import { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import { contractAddressesRoutes } from '@kassa/contract/sweep-contracts/address-routes.ts'
import { approvedSweepsRoutes, sweepApprovalsRoutes } from '@kassa/contract/sweeps/approval-routes.ts'
import type { ApprovalItem, SigningJob } from '@kassa/contract/sweeps/approval-schemas.ts'
import { walletsRoutes } from '@kassa/contract/wallets/routes.ts'
import { checksumAddress } from '@kassa/keys/address-text.ts'
import { readPermission, signatureJson } from '@kassa/keys/evm/permission-json.ts'
import { signPermission } from '@kassa/keys/evm/permission-signing.ts'
import { EVERYTHING } from '@kassa/keys/evm/permission.ts'
import { SANDBOX_TOKENS } from '@kassa/primitives/chains/sandbox-tokens.ts'
import { sql } from 'kysely'
import { createWalletClient, encodeFunctionData, erc20Abi, type Hex, http, numberToHex, parseEther } from 'viem'
import { type HDKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { adapterOf } from '../blockchains/chains/service.ts'
import { asSystem, inTransaction } from '../../context.ts'
import { INVARIANTS } from '../../app.ts'
import { type TestApp, testApp } from '../../testing/app.ts'
import { bookFloat } from '../../testing/hot-wallet.ts'
import { Killed, mortal } from '../../testing/mortal.ts'
import { permitUsdc } from '../../testing/permit-usdc.ts'
import { newAccount } from '../../testing/shop.ts'
import { type TestReader, testReader } from '../../testing/test-follower.ts'
import { createVault } from '../../testing/vaults.ts'
import { setSandboxNode } from '../blockchains/nodes/service.ts'
import { verify } from '../ledger/service.ts'
import { newMemory } from '../sends/following/following.ts'
import { followSends } from '../sends/following/follow-sends.ts'
import { addHotWallet, findHotWallet } from '../wallets/hot/service.ts'
import { signPlanned } from '../sweeps/signing/service.ts'
import { assignAddress } from '../wallets/service.ts'
import { followPermissions } from './following/follow-permissions.ts'
import { lockedAddresses, readyPermissions } from './service.ts'

const CHAIN = 1
const IDS = { ETH: 1, USDC: 7, USDT: 11 } as const
type Currency = keyof typeof IDS
const UNITS = 50_000_000n
const ROUTES = sweepApprovalsRoutes
const SENDER = privateKeyToAccount(numberToHex(78, { size: 32 }))

let app: TestApp
let key: string
let anvil: AnvilChain
let reader: TestReader
let account: HDKey
let projectId: number
let walletId: number
let vault: Hex
let gasWallet: { walletId: number; address: string }
const collector = checksumAddress(Buffer.from('c0'.repeat(20), 'hex')) as Hex
let customers = 0
let clock = Date.now()

beforeAll(async () => {
  ;[app, anvil] = await Promise.all([testApp({ now: new Date(clock) }), openAnvilChain()])
  key = await app.signUp()
  const ctx = asSystem(app.ctx)
  await setSandboxNode(ctx, 'ETH', anvil.node.label)
  await permitUsdc(anvil)
  reader = await testReader(ctx, 'ETH')
  await reader.catchUp()
  account = newAccount()
  projectId = (await app.call(projectsRoutes.createProject, { body: { name: 'Shop' } }, { key })).body.id
  const xpubs = [{ family: 'ETH_Family', xpub: account.publicExtendedKey }]
  const body = { name: 'Deposits', projectID: projectId, xpubs }
  walletId = (await app.call(walletsRoutes.addDepositWallet, { body }, { key })).body.id
  const cold = { params: { id: 'ETH' }, body: { name: 'Ledger', address: collector } }
  await app.call(coldWalletsRoutes.addColdWallet, cold, { key })
  const made = await createVault(anvil, { owner: '0x1111111111111111111111111111111111111111', collector })
  vault = made.vault
  const contract = { address: vault, transactionHash: made.txId, fundCollectorAddress: collector }
  const params = { b: 'ETH', name: 'sweep_approval' }
  await app.call(contractAddressesRoutes.registerContractAddress, { params, body: contract }, { key })
  await anvil.call('anvil_setBalance', SENDER.address, numberToHex(parseEther('10')))
}, 120_000)
afterAll(async () => {
  await anvil.stop()
  await app.stop()
})
beforeEach(async () => {
  app.clock.now = new Date(clock)
  // Operators of this test stay signed in and confirmed, whatever time passes.
  const later = new Date(clock + 24 * 60 * 60_000)
  await sql`
    UPDATE sessions SET step_up_until = ${later}, idle_expires_at = ${later}, expires_at = ${later}`.execute(app.ctx.db)
})

type Deposit = { readonly id: number; readonly address: Hex; readonly index: number }

/** A customer whose address got money that is final. */
async function deposit(currency: Currency, units = UNITS): Promise<Deposit> {
  customers += 1
  const { rows } = await sql<{ id: number }>`
    INSERT INTO customers (project_id, customer_id) VALUES (${projectId}, ${`c-${customers}`}) RETURNING id`.execute(
    app.ctx.db,
  )
  const customerId = rows[0]?.id ?? 0
  const ctx = asSystem(app.ctx)
  const { id, address, path } = await inTransaction(ctx, (tx) =>
    assignAddress(tx, { projectId, customerId, familyId: 1 }),
  )
  await pay(currency, address as Hex, units)
  await settle()
  return { id: Number(id), address: address as Hex, index: Number(path.split('/').at(-1)) }
}

async function pay(currency: Currency, to: Hex, units: bigint): Promise<void> {
  if (currency === 'ETH') await anvil.send({ from: anvil.payer, to, value: units })
  else await anvil.transfer(currency === 'USDC' ? SANDBOX_TOKENS.usdc : SANDBOX_TOKENS.usdt, to, units)
}

/** Blocks until what was sent is final, and read. */
async function settle(): Promise<void> {
  for (let round = 0; round < 3; round += 1) {
    await anvil.mine()
    await reader.catchUp()
  }
}

async function addGas(): Promise<void> {
  const ctx = asSystem(app.ctx)
  const found = await findHotWallet(ctx, { blockchainId: CHAIN, purpose: 'gas' })
  if (!found) await addHotWallet(ctx, { family: 'ETH_Family', name: 'Gas', generate: true, functions: ['gas'] })
  gasWallet = found ?? (await findHotWallet(ctx, { blockchainId: CHAIN, purpose: 'gas' })) ?? gasWallet
  if (found) return
  await anvil.call('anvil_setBalance', gasWallet.address, numberToHex(parseEther('10')))
  await bookFloat(ctx, gasWallet.walletId, { [IDS.ETH]: parseEther('10') })
}

const named = (c: Currency, b = 'ETH') => ({ params: { b, c } })
const ask = (c: Currency, addressIDs: number[]) =>
  app.call(ROUTES.requestApprovals, { ...named(c), body: { addressIDs } }, { key })
const jobOf = (c: Currency, query: object) => app.call(ROUTES.getSigningJob, { ...named(c), query }, { key })
const overview = (c: Currency) => app.call(ROUTES.getApprovalOverview, named(c), { key })
const list = (c: Currency, query = {}) => app.call(ROUTES.listPendingApprovals, { ...named(c), query }, { key })
const post = (c: Currency, batchID: string, signatures: object[]) =>
  app.call(ROUTES.postSignatures, { ...named(c), body: { batchID, signatures: signatures as never } }, { key })

/** What the offline signer answers. */
function sign(item: ApprovalItem, job: Pick<SigningJob, 'currencyAddress'>): { addressID: number } {
  const permission = readPermission(item)
  const leaf = account.deriveChild(0).deriveChild(Number(item.path?.split('/').at(-1))).privateKey
  if (!permission || !leaf) throw new Error('It cannot be signed')
  const destination = { chainId: 31_337n, token: job.currencyAddress, vault, collector, mostFee: EVERYTHING }
  return { addressID: item.addressID, ...signatureJson(permission, signPermission(permission, destination, leaf)) }
}

async function signBatch(
  c: Currency,
  query: object,
): Promise<{ batchID: string; signatures: { addressID: number }[] }> {
  const { body } = await jobOf(c, query)
  const signatures = body.data.flatMap(({ approval }) => (approval ? [sign(approval, body)] : []))
  return { batchID: body.batchID ?? '', signatures }
}

const memory = { broadcastAt: new Map<bigint, number>() }
let sendMemory = newMemory()

/** Passes of both loops with blocks between, as processes make them. */
async function work(rounds = 6, ctx = app.ctx): Promise<void> {
  const system = asSystem(ctx)
  for (let round = 0; round < rounds; round += 1) {
    clock += 31_000
    app.clock.now = new Date(clock)
    await followPermissions(system, memory)
    await followSends(system, CHAIN, sendMemory)
    await anvil.mine()
    await reader.catchUp()
  }
}

const ready = (c: Currency, ids: readonly number[]) =>
  readyPermissions(app.ctx, { blockchainId: CHAIN, assetId: IDS[c], addressIds: ids.map(BigInt) })
const booksHold = async () => expect(await verify(asSystem(app.ctx), INVARIANTS)).toEqual([])
const tokenOf = (holder: Hex, c: 'USDC' | 'USDT') => {
  const to = c === 'USDC' ? SANDBOX_TOKENS.usdc : SANDBOX_TOKENS.usdt
  return anvil
    .call(
      'eth_call',
      { to, data: encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [holder] }) },
      'latest',
    )
    .then((answer) => BigInt(answer as Hex))
}
const coinsOf = async (holder: string) => BigInt((await anvil.call('eth_getBalance', holder, 'latest')) as Hex)
const permissionOf = async (id: number) => {
  const { rows } = await sql<{ state: string; fee_units: string | null }>`
    SELECT state, fee_units FROM sweep_permissions WHERE address_id = ${id} ORDER BY id DESC LIMIT 1`.execute(
    app.ctx.db,
  )
  return rows[0]
}

/** Anybody calls the vault with what is ready. */
async function sweep(call: never, authorizations: readonly object[] = []): Promise<void> {
  const made = adapterOf('ETH_Family')?.vaults?.call(vault, call)
  const wallet = createWalletClient({ account: SENDER, transport: http(anvil.url) })
  const list = authorizations.length > 0 ? { authorizationList: authorizations as never } : {}
  await wallet.sendTransaction({ chain: null, to: vault, data: made?.data as Hex, gas: 3_000_000n, ...list })
}

describe('sweep-permissions', () => {
  it('asks for a permit without gas, and the vault collects with it', async () => {
    const one = await deposit('USDC')
    expect((await overview('USDC')).body.counts).toMatchObject({ idle: 1, approved: 0 })
    const { body: batch, status } = await ask('USDC', [one.id])
    expect(status).toBe(201)
    expect(batch).toMatchObject({ gasTopUps: [], approvals: [{ kind: 'permit', from: one.address }] })
    expect(
      await lockedAddresses(app.ctx, { blockchainId: CHAIN, assetId: IDS.USDC, addressIds: [BigInt(one.id)] }),
    ).toHaveLength(1)
    expect((await ask('USDC', [one.id])).refusal?.code).toBe('ADDRESS_LOCKED')
    const { batchID, signatures } = await signBatch('USDC', { batchID: batch.batchID })
    const answer = (await post('USDC', batchID, signatures)).body
    expect(answer).toMatchObject({
      accepted: 1,
      rejected: [],
      data: [{ state: 'approved', approvalState: 'approved' }],
    })
    expect((await post('USDC', batchID, signatures)).body.accepted).toBe(1)
    expect((await overview('USDC')).body.counts).toMatchObject({ idle: 0, approved: 1 })
    const [permission] = await ready('USDC', [one.id])
    expect(permission).toMatchObject({ kind: 'permit', vault })
    const items = [{ id: BigInt(one.address), units: UNITS }]
    await sweep({ kind: 'permitAndPull', token: SANDBOX_TOKENS.usdc, permits: [permission?.permit], items } as never)
    expect(await tokenOf(collector, 'USDC')).toBe(UNITS)
    clock += 11 * 60_000
    await work(2)
    expect((await ready('USDC', [one.id]))[0]).toMatchObject({ kind: 'approve', permit: null })
    await booksHold()
  })

  it('brings gas to an address that must send its approval, and counts it at finality', async () => {
    const one = await deposit('USDT')
    expect((await ask('USDT', [one.id])).refusal?.code).toBe('HOT_WALLET_MISSING')
    await addGas()
    const { body: batch } = await ask('USDT', [one.id])
    expect(batch.approvals).toMatchObject([{ kind: 'approve_tx', to: SANDBOX_TOKENS.usdt, nonce: 0 }])
    expect(batch.gasTopUps).toHaveLength(1)
    expect((await list('USDT')).body.data).toMatchObject([{ gasState: 'needed', state: 'pending-approval' }])
    const { batchID, signatures } = await signBatch('USDT', { batchID: batch.batchID })
    expect((await post('USDT', batchID, signatures)).body.data).toMatchObject([{ approvalState: 'signed' }])
    expect(await ready('USDT', [one.id])).toEqual([])
    await work(10)
    expect(await permissionOf(one.id)).toMatchObject({ state: 'approved' })
    expect(BigInt((await permissionOf(one.id))?.fee_units ?? 0)).toBeGreaterThan(0n)
    expect((await ready('USDT', [one.id]))[0]).toMatchObject({ kind: 'approve' })
    await booksHold()
    // What is left of the gas on the address is what the ledger says.
    const { rows } = await sql<{ units: string }>`
      SELECT debits - credits AS units FROM accounts WHERE kind = 'chain:deposit-addresses' AND unit_id = ${IDS.ETH}
        AND owner_key = ${`address:${one.id}`}`.execute(app.ctx.db)
    expect(BigInt(rows[0]?.units ?? 0)).toBe(await coinsOf(one.address))
    await sweep({
      kind: 'pullToken',
      token: SANDBOX_TOKENS.usdt,
      items: [{ id: BigInt(one.address), units: UNITS }],
    } as never)
    expect(await tokenOf(collector, 'USDT')).toBe(UNITS)
  })

  it('takes delegations that were signed ahead, for tokens and coins alike (S-2, S-4)', async () => {
    const one = await deposit('ETH', parseEther('0.1'))
    const { batchID, signatures } = await signBatch('ETH', { walletID: walletId })
    expect(batchID).toBe(`ahead-${walletId}`)
    expect(signatures.length).toBeGreaterThan(1)
    const answer = await post('ETH', batchID, signatures)
    // An account that has sent something, as for an approval, can delegate no more with what was signed ahead.
    expect(answer.body.rejected.map(({ code }) => code)).toEqual(['LAPSED'])
    expect(answer.body.accepted).toBe(signatures.length - 1)
    const [permission] = await ready('ETH', [one.id])
    expect(permission).toMatchObject({ kind: 'authorization' })
    const { chainId, nonce, yParity, r, s, address } = permission?.authorization ?? {}
    const before = await coinsOf(collector)
    const word = (value: bigint | undefined) => numberToHex(value ?? 0n, { size: 32 })
    const tuple = { chainId: Number(chainId), nonce: Number(nonce), yParity, r: word(r), s: word(s), address }
    const items = [{ id: BigInt(one.address), units: parseEther('0.1') }]
    await sweep({ kind: 'sweepNativeDelegated', items } as never, [tuple])
    expect((await coinsOf(collector)) - before).toBe(parseEther('0.1'))
    clock += 11 * 60_000
    await work(2)
    expect((await ready('ETH', [one.id]))[0]).toMatchObject({ kind: 'authorization', authorization: null })
  })

  it('sends coins of an address that has sent something before, by a transfer to the collector', async () => {
    const one = await deposit('ETH', parseEther('0.2'))
    await sql`DELETE FROM sweep_permissions WHERE address_id = ${one.id}`.execute(app.ctx.db)
    await anvil.call('anvil_setNonce', one.address, '0x1')
    const { body: batch } = await ask('ETH', [one.id])
    expect(batch.approvals).toMatchObject([{ kind: 'transfer_tx', to: collector, nonce: 1 }])
    const before = await coinsOf(collector)
    const { batchID, signatures } = await signBatch('ETH', { batchID: batch.batchID })
    await post('ETH', batchID, signatures)
    await work(6)
    expect(await permissionOf(one.id)).toMatchObject({ state: 'used' })
    expect((await coinsOf(collector)) - before).toBe(BigInt(batch.approvals[0]?.value ?? 0))
    expect(await ready('ETH', [one.id])).toEqual([])
    await booksHold()
  })

  it('says of each signature that is not taken why, and keeps the others', async () => {
    const [one, other] = [await deposit('USDC'), await deposit('USDC')]
    const { body: batch } = await ask('USDC', [one.id, other.id])
    const { batchID, signatures } = await signBatch('USDC', { batchID: batch.batchID })
    const signed = signatures as { addressID: number; permit: object }[]
    const [first, second] = [one, other].map(({ id }) => signed.find(({ addressID }) => addressID === id))
    const swapped = { ...first, permit: second?.permit }
    const { body } = await post('USDC', batchID, [
      swapped,
      second ?? {},
      { addressID: 999_999, signedTransaction: '0x02' },
    ])
    expect(body).toMatchObject({ accepted: 1, rejected: [{ code: 'WRONG_SIGNER' }, { code: 'NOT_IN_BATCH' }] })
    expect((await post('USDC', batchID, [{ addressID: one.id, signedTransaction: '0x02' }])).refusal?.code).toBe(
      'SIGNATURE_INVALID',
    )
    clock += 31 * 60_000
    app.clock.now = new Date(clock)
    expect((await post('USDC', batchID, [first ?? {}])).body.rejected).toMatchObject([{ code: 'BATCH_EXPIRED' }])
    expect((await list('USDC')).body.data).toMatchObject([{ addressID: one.id, state: 'idle', batchID: null }])
  })

  it.each([
    ['SWEEP_NETWORK_UNSUPPORTED', 'BASE', 'USDC'],
    ['SWEEP_NETWORK_UNSUPPORTED', 'nowhere', 'USDC'],
    ['ASSET_NOT_FOUND', 'ETH', 'DOGE'],
  ])('answers %s for %s %s', async (code, b, c) => {
    const answer = await app.call(ROUTES.getApprovalOverview, { params: { b, c } }, { key })
    expect(answer.refusal?.code).toBe(code)
  })

  it('knows no batch of another asset, and asks nobody without money', async () => {
    const one = await deposit('USDC')
    const { body: batch } = await ask('USDC', [one.id])
    expect((await jobOf('USDT', { batchID: batch.batchID })).refusal?.code).toBe('SWEEP_BATCH_NOT_FOUND')
    expect((await post('USDT', batch.batchID, [{ addressID: one.id, signedTransaction: '0x' }])).refusal?.code).toBe(
      'SWEEP_BATCH_NOT_FOUND',
    )
    expect((await ask('USDT', [one.id])).refusal?.code).toBe('SWEEP_BELOW_MINIMUM')
    const { body } = await app.call(
      ROUTES.listSignatures,
      { ...named('USDC'), query: { batchID: batch.batchID } },
      { key },
    )
    expect(body.data).toMatchObject([{ addressID: one.id, state: 'pending-approval', approvalState: 'none' }])
  })

  it('refuses a batch that the hot wallet cannot pay for', async () => {
    await addGas()
    const one = await deposit('USDT')
    await sql`UPDATE assets SET sweep_approval_batch_size = 50 WHERE id = ${IDS.USDT}`.execute(app.ctx.db)
    await anvil.call('anvil_setNextBlockBaseFeePerGas', numberToHex(10n ** 15n))
    await anvil.mine()
    const refused = await ask('USDT', [one.id])
    expect(refused.refusal?.code).toBe('INSUFFICIENT_GAS')
    for (let block = 0; block < 120; block += 1) await anvil.mine()
    await reader.catchUp()
  })

  it(
    'lets the hot wallet execute each kind, and every unit ends in the cold wallet (K14)',
    { timeout: 120_000 },
    async () => {
      await addGas()
      // Below what a second node must confirm.
      const much = 400_000_000n
      const [permitted, approved, delegated] = [
        await deposit('USDC', much),
        await deposit('USDT', much),
        await deposit('ETH', parseEther('0.2')),
      ]
      const asked = [
        ['USDC', permitted],
        ['USDT', approved],
        ['ETH', delegated],
      ] as const
      for (const [currency, { id }] of asked) {
        if ((await ready(currency, [id])).length > 0) continue
        const { body: batch, refusal } = await ask(currency, [id])
        expect(refusal).toBeUndefined()
        const { batchID, signatures } = await signBatch(currency, { batchID: batch.batchID })
        expect((await post(currency, batchID, signatures)).body).toMatchObject({ accepted: 1, rejected: [] })
      }
      await work(10)
      const before = [await tokenOf(collector, 'USDC'), await tokenOf(collector, 'USDT'), await coinsOf(collector)]
      for (const [currency, { id }] of asked) {
        expect((await ready(currency, [id]))[0]?.kind).toBe(
          { USDC: 'permit', USDT: 'approve', ETH: 'authorization' }[currency],
        )
        const body = { addressIDs: [id], execute: true }
        const { status, refusal } = await app.call(
          approvedSweepsRoutes.initiateSweep,
          { ...named(currency), body },
          { key },
        )
        expect(refusal).toBeUndefined()
        expect(status).toBe(201)
        await signPlanned(asSystem(app.ctx))
        await work(5)
      }
      const after = [await tokenOf(collector, 'USDC'), await tokenOf(collector, 'USDT'), await coinsOf(collector)]
      expect(after.map((units, at) => units - (before[at] ?? 0n))).toEqual([much, much, parseEther('0.2')])
      await booksHold()
    },
  )

  it('brings gas once and approves once, wherever the process dies', { timeout: 240_000 }, async () => {
    await addGas()
    const life = mortal(app.ctx)
    for (let killAt = 1; ; killAt += 3) {
      const one = await deposit('USDT')
      const { body: batch } = await ask('USDT', [one.id])
      const { batchID, signatures } = await signBatch('USDT', { batchID: batch.batchID })
      await post('USDT', batchID, signatures)
      Object.assign(life, { steps: 0, killAt })
      const ended = await work(8, life.ctx).catch((error: unknown) => error)
      life.killAt = null
      if (ended !== undefined) expect(ended).toBeInstanceOf(Killed)
      memory.broadcastAt.clear()
      sendMemory = newMemory()
      await work(8)
      expect(await permissionOf(one.id)).toMatchObject({ state: 'approved' })
      const { rows } = await sql<{ sends: number }>`
        SELECT count(*)::int AS sends FROM send_items WHERE permission_id IN (SELECT id FROM sweep_approvals WHERE address_id = ${one.id})`.execute(
        app.ctx.db,
      )
      expect(rows[0]?.sends).toBe(1)
      await booksHold()
      if (ended === undefined || killAt > 40) break
    }
  })
})
