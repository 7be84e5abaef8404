/** A shop whose deposit addresses have keys of their own, on a local chain, with an offline signer and both loops at hand. */
import type { AnvilChain } from '@kassa/chains/testing/anvil-chain.ts'
import type { VaultCall } from '@kassa/chains/sweep-vaults.ts'
import { mined } from '@kassa/chains/testing/mined.ts'
import { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import { contractAddressesRoutes } from '@kassa/contract/sweep-contracts/address-routes.ts'
import { approvedSweepsRoutes, sweepApprovalsRoutes } from '@kassa/contract/sweeps/approval-routes.ts'
import type { ApprovalItem, SigningJob } from '@kassa/contract/sweeps/approval-schemas.ts'
import { coldWalletsRoutes } from '@kassa/contract/wallets/cold-routes.ts'
import { walletsRoutes } from '@kassa/contract/wallets/routes.ts'
import { checksumAddress } from '@kassa/keys/address-text.ts'
import { readPermission, signatureJson } from '@kassa/keys/evm/permission-json.ts'
import { signPermission } from '@kassa/keys/evm/permission-signing.ts'
import { EVERYTHING } from '@kassa/keys/evm/permission.ts'
import { SANDBOX_TOKENS } from '@kassa/primitives/chains/sandbox-tokens.ts'
import { sql } from 'kysely'
import { createWalletClient, encodeFunctionData, erc20Abi, type Hex, http, numberToHex, parseEther } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

import { INVARIANTS } from '../../app.ts'
import { asSystem, type Context, inTransaction } from '../../context.ts'
import { adapterOf } from '../../modules/blockchains/chains/service.ts'
import { setSandboxNode } from '../../modules/blockchains/nodes/service.ts'
import { verify } from '../../modules/ledger/service.ts'
import { followSends } from '../../modules/sends/following/follow-sends.ts'
import { newMemory } from '../../modules/sends/following/following.ts'
import { followPermissions } from '../../modules/sweep-permissions/following/follow-permissions.ts'
import { readyPermissions } from '../../modules/sweep-permissions/service.ts'
import { addHotWallet, findHotWallet } from '../../modules/wallets/hot/service.ts'
import { assignAddress } from '../../modules/wallets/service.ts'
import type { TestApp } from '../app.ts'
import { bookFloat } from './hot-wallet.ts'
import { newAccount } from '../shop.ts'
import { testReader } from '../test-follower.ts'
import { createVault } from '../vaults.ts'

export const CHAIN = 1
export const ASSETS = { ETH: 1, USDC: 7, USDT: 11 } as const
/** What is paid where a test says nothing else: 50 of a token. */
export const UNITS = 50_000_000n

type Currency = keyof typeof ASSETS
type Deposit = { readonly id: number; readonly address: Hex }
type Signed = { readonly batchID: string; readonly signatures: readonly { readonly addressID: number }[] }

/** The caller of a vault; it has no influence on the destination. */
const ANYBODY = privateKeyToAccount(numberToHex(78, { size: 32 }))
const OWNER = '0x1111111111111111111111111111111111111111'
const ROUTES = sweepApprovalsRoutes

export type ApprovalShop = Awaited<ReturnType<typeof approvalShop>>

/** Opens the shop: project, deposit wallet, cold wallet, sweep contract; USDC takes permits, USDT does not. */
export async function approvalShop(app: TestApp, anvil: AnvilChain, key: string) {
  const ctx = asSystem(app.ctx)
  const collector = checksumAddress(Buffer.from('c0'.repeat(20), 'hex')) as Hex
  await setSandboxNode(ctx, 'ETH', anvil.node.label)
  const reader = await testReader(ctx, 'ETH')
  await reader.catchUp()
  const account = newAccount()
  const projectId = (await app.call(projectsRoutes.createProject, { body: { name: 'Shop' } }, { key })).body.id
  const xpubs = [{ family: 'ETH_Family', xpub: account.publicExtendedKey }]
  const wallet = { name: 'Deposits', projectID: projectId, xpubs }
  const walletId = (await app.call(walletsRoutes.addDepositWallet, { body: wallet }, { key })).body.id
  const cold = { params: { id: 'ETH' }, body: { name: 'Ledger', address: collector } }
  await app.call(coldWalletsRoutes.addColdWallet, cold, { key })
  const { vault, txId } = await createVault(anvil, { owner: OWNER, collector })
  const contract = { address: vault, transactionHash: txId, fundCollectorAddress: collector }
  const params = { b: 'ETH', name: 'sweep_approval' }
  await app.call(contractAddressesRoutes.registerContractAddress, { params, body: contract }, { key })
  await anvil.call('anvil_setBalance', ANYBODY.address, numberToHex(parseEther('10')))
  let customers = 0
  const memory = { broadcastAt: new Map<bigint, number>(), followedTo: new Map<number, bigint>(), sends: newMemory() }

  /** Lets time pass; operators stay signed in and confirmed. */
  const pass = async (ms: number) => {
    const now = new Date(app.clock.now.getTime() + ms)
    app.clock.now = now
    const later = new Date(now.getTime() + 24 * 60 * 60_000)
    await sql`
      UPDATE sessions SET step_up_until = ${later}, idle_expires_at = ${later}, expires_at = ${later}`.execute(ctx.db)
  }
  /** Blocks until what was sent is final, and read. */
  const settle = async () => {
    for (let round = 0; round < 3; round += 1) {
      await anvil.mine()
      await reader.catchUp()
    }
  }
  /** A customer whose address got money that is final. */
  const deposit = async (currency: Currency, units = UNITS): Promise<Deposit> => {
    customers += 1
    const { rows } = await sql<{ id: number }>`
      INSERT INTO customers (project_id, customer_id) VALUES (${projectId}, ${`c-${customers}`}) RETURNING id`.execute(
      ctx.db,
    )
    const ask = { projectId, customerId: rows[0]?.id ?? 0, familyId: 1 }
    const { id, address } = await inTransaction(ctx, (tx) => assignAddress(tx, ask))
    if (currency === 'ETH') await anvil.send({ from: anvil.payer, to: address as Hex, value: units })
    else await anvil.transfer(tokenOf(currency), address as Hex, units)
    await settle()
    return { id: Number(id), address: address as Hex }
  }
  /** Adds a gas wallet with ten ether, once. */
  const addGas = async () => {
    const find = () => findHotWallet(ctx, { blockchainId: CHAIN, purpose: 'gas' })
    if (await find()) return
    await addHotWallet(ctx, { family: 'ETH_Family', name: 'Gas', generate: true, functions: ['gas'] })
    const added = await find()
    if (!added) throw new Error('There is no gas wallet')
    await anvil.call('anvil_setBalance', added.address, numberToHex(parseEther('10')))
    await bookFloat(ctx, added.walletId, { [ASSETS.ETH]: parseEther('10') })
  }
  const named = (c: string, b = 'ETH') => ({ params: { b, c } })
  const ask = (c: Currency, addressIDs: number[]) =>
    app.call(ROUTES.requestApprovals, { ...named(c), body: { addressIDs } }, { key })
  const jobOf = (c: Currency, query: object) => app.call(ROUTES.getSigningJob, { ...named(c), query }, { key })
  const post = (c: Currency, batchID: string, signatures: readonly object[]) =>
    app.call(ROUTES.postSignatures, { ...named(c), body: { batchID, signatures: signatures as never } }, { key })
  /** What the offline signer answers to one item. */
  const sign = (item: ApprovalItem, { currencyAddress: token }: SigningJob): { addressID: number } => {
    const permission = readPermission(item)
    const leaf = account.deriveChild(0).deriveChild(Number(item.path?.split('/').at(-1))).privateKey
    if (!permission || !leaf) throw new Error('It cannot be signed')
    const destination = { chainId: 31_337n, token, vault, collector, mostFee: EVERYTHING }
    return { addressID: item.addressID, ...signatureJson(permission, signPermission(permission, destination, leaf)) }
  }
  const signBatch = async (c: Currency, query: object): Promise<Signed> => {
    const { body } = await jobOf(c, query)
    const signatures = body.data.flatMap(({ approval }) => (approval ? [sign(approval, body)] : []))
    return { batchID: body.batchID ?? '', signatures }
  }
  /** Passes of both loops with blocks between, as processes make them. */
  const work = async (rounds = 6, process: Context = app.ctx) => {
    for (let round = 0; round < rounds; round += 1) {
      await pass(31_000)
      await followPermissions(asSystem(process), memory)
      await followSends(asSystem(process), CHAIN, memory.sends)
      await anvil.mine()
      await reader.catchUp()
    }
  }
  /** A process that starts anew remembers nothing. */
  const forget = () => {
    memory.broadcastAt.clear()
    memory.followedTo.clear()
    memory.sends = newMemory()
  }
  const ready = (c: Currency, ids: readonly number[]) =>
    readyPermissions(ctx, { blockchainId: CHAIN, assetId: ASSETS[c], addressIds: ids.map(BigInt), vault })
  const heldOf = async (holder: string, c: Currency) => {
    if (c === 'ETH') return BigInt((await anvil.call('eth_getBalance', holder, 'latest')) as Hex)
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [holder as Hex] })
    return BigInt((await anvil.call('eth_call', { to: tokenOf(c), data }, 'latest')) as Hex)
  }
  const permissionOf = async (id: number) => {
    const { rows } = await sql<{ state: string; fee_units: string | null }>`
      SELECT state, fee_units FROM sweep_permissions WHERE address_id = ${id} ORDER BY id DESC LIMIT 1`.execute(ctx.db)
    return rows[0]
  }
  /** Anybody calls the vault with what is ready. */
  const sweep = async (call: VaultCall, authorizations: readonly object[] = []) => {
    const made = adapterOf('ETH_Family')?.vaults?.call(vault, call)
    const list = authorizations.length > 0 ? { authorizationList: authorizations as never } : {}
    const client = createWalletClient({ account: ANYBODY, transport: http(anvil.url) })
    const tx = { chain: null, to: vault, data: made?.data as Hex, gas: 3_000_000n, ...list } as const
    await mined(anvil.node, await client.sendTransaction(tx))
  }
  const broken = () => verify(ctx, INVARIANTS)
  await pass(0)
  return {
    ...{ ctx, vault, collector, walletId, reader, named, pass, settle, deposit, addGas, ask, jobOf, post, signBatch },
    ...{ work, forget, ready, heldOf, permissionOf, sweep, broken },
    overview: (c: string, b?: string) => app.call(ROUTES.getApprovalOverview, named(c, b), { key }),
    initiate: (c: Currency, addressIDs: number[]) =>
      app.call(approvedSweepsRoutes.initiateSweep, { ...named(c), body: { addressIDs, execute: true } }, { key }),
    list: (c: Currency, query = {}) => app.call(ROUTES.listPendingApprovals, { ...named(c), query }, { key }),
    progress: (c: Currency, batchID: string) =>
      app.call(ROUTES.listSignatures, { ...named(c), query: { batchID } }, { key }),
  }
}

function tokenOf(currency: 'USDC' | 'USDT'): Hex {
  return currency === 'USDC' ? SANDBOX_TOKENS.usdc : SANDBOX_TOKENS.usdt
}
