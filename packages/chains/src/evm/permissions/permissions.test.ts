import { readPermission, signatureJson } from '@kassa/keys/evm/permission-json.ts'
import { signPermission } from '@kassa/keys/evm/permission-signing.ts'
import { EVERYTHING } from '@kassa/keys/evm/permission.ts'
import { wordOf } from '@kassa/keys/evm/create2.ts'
import { permitToken } from '@kassa/solidity/generated/permit-token.ts'
import { SANDBOX_TOKENS } from '@kassa/primitives/chains/sandbox-tokens.ts'
import {
  createWalletClient,
  encodeDeployData,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  http,
  numberToHex,
  parseEther,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import type { Composed, SignedPermission } from '../../permissions.ts'
import { type AnvilChain, openAnvilChain } from '../../testing/anvil-chain.ts'
import { mined } from '../../testing/mined.ts'
import { deployFactory } from '../../testing/vaults.ts'
import { fromHex, toHex } from '../encoding/hex.ts'
import { evmVaults } from '../vaults/vaults.ts'
import { evmPermissions } from './permissions.ts'

const OWNER: Hex = '0x1111111111111111111111111111111111111111'
const COLLECTOR: Hex = `0x${'22'.repeat(20)}`
const UNITS = 10_000_000n
const SENDER = privateKeyToAccount(toHex(wordOf(77n)) as Hex)

let anvil: AnvilChain
let vault: string
/** Takes permits; the other token of the sandbox does not. */
let token: Hex
let next = 1n

beforeAll(async () => {
  anvil = await openAnvilChain()
  for (const address of [OWNER, SENDER.address]) {
    await anvil.call('anvil_setBalance', address, numberToHex(parseEther('100')))
  }
  await deployFactory(anvil.url, anvil.payer)
  const args = ['USD Coin', 'USDC', 6, 10n ** 15n, anvil.payer] as const
  const deployed = await anvil.submit({ data: encodeDeployData({ ...permitToken, args }), gas: 3_000_000n })
  token = (await mined(anvil.node, deployed)).contractAddress ?? '0x'
  const salt = toHex(wordOf(1n))
  const { to, data } = evmVaults.creation(anvil.session.chain, { salt, collector: COLLECTOR })
  await anvil.send({ from: OWNER, to: to as Hex, data: data as Hex, gas: 3_000_000n })
  vault = evmVaults.vault(anvil.session.chain, { owner: OWNER, salt })
}, 60_000)
afterAll(() => anvil.stop())

type Place = { readonly token: string | null; readonly vault: string; readonly collector: string }
const at = (of: string | null): Place => ({ token: of, vault, collector: COLLECTOR })

/** A deposit address with a key of its own. */
function account() {
  next += 1n
  const key = wordOf(5_000_000n + next)
  return { key, address: privateKeyToAccount(toHex(key) as Hex).address }
}

const compose = async (place: Place, address: string, units = UNITS): Promise<Composed | undefined> =>
  (await evmPermissions.compose(anvil.session, { ...place, owners: [{ address, units }] }))[0]

function asked(composed: Composed | undefined): Extract<Composed, { kind: 'ask' }> {
  if (composed?.kind !== 'ask') throw new Error(`Nothing is asked: ${composed?.kind}`)
  return composed
}

/** What the signer makes of it. */
function sign(
  place: Place,
  { permission: json }: Extract<Composed, { kind: 'ask' }>,
  key: Uint8Array,
): SignedPermission {
  const permission = readPermission(json)
  if (!permission) throw new Error('It cannot be read')
  const signed = signPermission(permission, { ...place, chainId: 31_337n, mostFee: EVERYTHING }, key)
  return { permission: json, signature: signatureJson(permission, signed) }
}

const check = (place: Place, { permission, signature }: SignedPermission) =>
  evmPermissions.check(anvil.session.chain, place, permission, signature)
const validity = (place: Place, signed: SignedPermission) => evmPermissions.validity(anvil.session, place, signed)

async function fund(contract: Hex, to: string): Promise<void> {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to as Hex, UNITS] })
  await anvil.send({ from: anvil.payer, to: contract, data })
}

async function heldBy(contract: Hex, holder: Hex): Promise<bigint> {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [holder] })
  return BigInt((await anvil.call('eth_call', { to: contract, data }, 'latest')) as Hex)
}

const coins = async (holder: string) => BigInt((await anvil.call('eth_getBalance', holder, 'latest')) as Hex)

/** Anybody calls the vault: who does makes no difference to where the money goes. */
async function sweep(call: Parameters<typeof evmVaults.call>[1], authorizationList: object[] = []): Promise<void> {
  const { to, data } = evmVaults.call(vault, call)
  const wallet = createWalletClient({ account: SENDER, transport: http(anvil.url) })
  const list = authorizationList.length > 0 ? { authorizationList: authorizationList as never } : {}
  const txId = await wallet.sendTransaction({ chain: null, to: to as Hex, data: data as Hex, gas: 3_000_000n, ...list })
  expect((await mined(anvil.node, txId)).status).toBe('0x1')
}

describe('evm.permissions', () => {
  it('gets a permit from a token that takes one, and the vault uses it', async () => {
    const { key, address } = account()
    await fund(token, address)
    const place = at(token)
    const one = asked(await compose(place, address))
    expect(one).toMatchObject({ topUp: null, permission: { kind: 'permit', from: address } })
    const signed = sign(place, one, key)
    expect(check(place, signed)).toMatchObject({ kind: 'signed', tx: null })
    expect(await validity(place, signed)).toBe('offered')
    const { v, r, s, deadline, value } = (
      signed.signature as { permit: Record<'r' | 's' | 'deadline' | 'value', string> & { v: number } }
    ).permit
    const permits = [{ owner: address, value: BigInt(value), deadline: BigInt(deadline), v, r, s }]
    const before = await heldBy(token, COLLECTOR)
    await sweep({ kind: 'permitAndPull', token, permits, items: [{ id: BigInt(address), units: UNITS }] })
    expect((await heldBy(token, COLLECTOR)) - before).toBe(UNITS)
    expect(await validity(place, signed)).toBe('given')
    expect(await compose(place, address)).toEqual({ kind: 'given', as: 'approve_tx' })
  })

  it('gets an approval where a token takes no permit, once the address has gas', async () => {
    const { key, address } = account()
    await fund(SANDBOX_TOKENS.usdt, address)
    const place = at(SANDBOX_TOKENS.usdt)
    const one = asked(await compose(place, address))
    expect(one.permission.kind).toBe('approve_tx')
    const { gasLimit, maxFee } = one.permission
    const needed = BigInt(gasLimit ?? 0) * BigInt(maxFee ?? 0)
    expect(one.topUp?.units).toBe((needed * 12n) / 10n)
    await anvil.call('anvil_setBalance', address, numberToHex(one.topUp?.units ?? 0n))
    expect(asked(await compose(place, address)).topUp).toBeNull()
    const checked = check(place, sign(place, one, key))
    if (checked.kind !== 'signed' || !checked.tx) throw new Error('It is not signed')
    const signed = { permission: one.permission, signature: checked.signature }
    expect(await validity(place, signed)).toBe('absent')
    await anvil.call('eth_sendRawTransaction', toHex(checked.tx.raw))
    expect(await validity(place, signed)).toBe('given')
    const before = await heldBy(SANDBOX_TOKENS.usdt, COLLECTOR)
    await sweep({ kind: 'pullToken', token: SANDBOX_TOKENS.usdt, items: [{ id: BigInt(address), units: UNITS }] })
    expect((await heldBy(SANDBOX_TOKENS.usdt, COLLECTOR)) - before).toBe(UNITS)
  })

  it('gets a delegation for coins, which rides with the sweep and counts from then on (S-3)', async () => {
    const { key, address } = account()
    await anvil.call('anvil_setBalance', address, numberToHex(UNITS))
    const place = at(null)
    const one = asked(await compose(place, address))
    expect(one).toMatchObject({ topUp: null, permission: { kind: 'authorization' } })
    expect(evmPermissions.ahead(anvil.session.chain, place, [address])).toEqual([one.permission])
    const signed = sign(place, one, key)
    expect(check(place, signed)).toMatchObject({ kind: 'signed', tx: null })
    expect(await validity(place, signed)).toBe('offered')
    const {
      chainId,
      nonce,
      yParity,
      r,
      s,
      address: delegate,
    } = (signed.signature as { authorization: Record<string, string> }).authorization
    const list = [{ chainId, nonce, yParity: Number(yParity), r, s, address: delegate }]
    const before = await coins(COLLECTOR)
    await sweep({ kind: 'sweepNativeDelegated', items: [{ id: BigInt(address), units: UNITS }] }, list)
    expect((await coins(COLLECTOR)) - before).toBe(UNITS)
    expect(await validity(place, signed)).toBe('given')
    // A delegated account takes no permit any more (S-4), and needs none.
    expect(await compose(at(token), address)).toEqual({ kind: 'given', as: 'authorization' })
  })

  it('gets a transfer to the collector where the account has sent something before', async () => {
    const { key, address } = account()
    await anvil.call('anvil_setBalance', address, numberToHex(parseEther('1')))
    await anvil.call('anvil_setNonce', address, '0x1')
    const place = at(null)
    const one = asked(await compose(place, address, parseEther('0.5')))
    const { gasLimit, maxFee, value } = one.permission
    expect(one.permission).toMatchObject({ kind: 'transfer_tx', to: COLLECTOR, nonce: 1 })
    expect(BigInt(value ?? 0) + BigInt(gasLimit ?? 0) * BigInt(maxFee ?? 0)).toBe(parseEther('0.5'))
    const checked = check(place, sign(place, one, key))
    if (checked.kind !== 'signed' || !checked.tx) throw new Error('It is not signed')
    const before = await coins(COLLECTOR)
    await anvil.call('eth_sendRawTransaction', toHex(checked.tx.raw))
    // The node answers before its block is made.
    await anvil.mine(1)
    expect((await coins(COLLECTOR)) - before).toBe(BigInt(value ?? 0))
    expect((await compose(place, account().address, 5n))?.kind).toBe('ask')
    const fee = BigInt(gasLimit ?? 0) * BigInt(maxFee ?? 0)
    expect((await compose(place, address, (fee * 6n) / 5n))?.kind).toBe('short')
    expect((await compose(place, address, 5n))?.kind).toBe('short')
  })

  it('says that a delegation is worth nothing once the account has sent something, or obeys another (PERMISSION_STALE)', async () => {
    const place = at(null)
    for (const spoil of [
      (address: string) => anvil.call('anvil_setNonce', address, '0x1'),
      (address: string) => anvil.call('anvil_setCode', address, `0xef0100${'33'.repeat(20)}`),
    ]) {
      const { key, address } = account()
      const signed = sign(place, asked(await compose(place, address)), key)
      await spoil(address)
      expect(await validity(place, signed)).toBe('absent')
    }
  })

  it('does not take what was signed for another vault, although the row says so', async () => {
    const { key, address } = account()
    const place = at(token)
    const other = { ...place, vault: OWNER }
    const signed = sign(place, asked(await compose(place, address)), key)
    expect(check(other, signed)).toMatchObject({ kind: 'refused', fault: 'spender' })
    const theirs = sign(place, asked(await compose(place, address)), key)
    const wrongKey = { ...theirs, permission: { ...theirs.permission, from: account().address } }
    expect(check(place, wrongKey)).toMatchObject({ kind: 'refused', fault: 'signer' })
    expect(check(place, { ...signed, signature: { signedTransaction: '0x02' } })).toMatchObject({ fault: 'unreadable' })
    expect(fromHex(signed.permission.from)).toHaveLength(20)
  })
})
