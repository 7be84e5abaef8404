import { approveCall, delegateOf, EVERYTHING, type Permission } from '@kassa/keys/evm/permission.ts'
import { permissionJson, type PermissionJson } from '@kassa/keys/evm/permission-json.ts'
import type { TokenDomain } from '@kassa/keys/evm/permit.ts'
import type { Hex } from 'viem'

import type { Chain, ChainSession } from '../../adapter.ts'
import { callAll, jsonCall } from '../../node/client.ts'
import type { Composed, PermissionAsk, PermissionPlace } from '../../permissions.ts'
import { gasEstimate, quantity } from '../encoding/wire.ts'
import { factsOf } from '../network/facts.ts'
import { requireOwnNetwork } from '../network/heads.ts'
import { type Prices, readPrices } from '../sender/fees.ts'
import { type AccountFacts, isAllowed, readAccounts } from './accounts.ts'
import { abiCoder } from '../../vault-contract/abi-coder.ts'
import { readPermitDomain, tokenAbi } from './token-permits.ts'

type Owner = PermissionAsk['owners'][number] & AccountFacts

/** Composes what addresses are to sign; see `Permissions.compose`. */
export async function compose(session: ChainSession, ask: PermissionAsk): Promise<readonly Composed[]> {
  await requireOwnNetwork(session)
  const addresses = ask.owners.map(({ address }) => address)
  const accounts = await readAccounts(session, ask, addresses)
  const owners = ask.owners.map((owner, at) => ({ ...owner, ...(accounts[at] ?? unread(owner.address)) }))
  const prices = await readPrices(session)
  if (ask.token === null) return composeNative(session, ask, owners, prices)
  const domain = await readPermitDomain(session, ask.token)
  return composeToken(session, { ...ask, token: ask.token }, owners, { prices, domain })
}

/** Composes delegations that are signed before they are needed (S-2); see `Permissions.ahead`. */
export function composeAhead(chain: Chain, place: PermissionPlace, owners: readonly string[]): PermissionJson[] {
  if (!factsOf(chain).supports7702) return []
  return owners.map((from) => permissionJson(delegation(chain, place, from)))
}

/** A delegation when the account has never sent anything, else a transfer of what may leave it, minus its fee. */
async function composeNative(
  session: ChainSession,
  place: PermissionPlace,
  owners: readonly Owner[],
  prices: Prices,
): Promise<Composed[]> {
  const { chain } = session
  const [estimate] = await callAll(session, [
    jsonCall('eth_estimateGas', { from: place.collector, to: place.collector, value: '0x0' }),
  ])
  const gas = withRoom(gasEstimate(estimate))
  return owners.map((owner) => {
    if (owner.code === 'ours') return { kind: 'given', as: 'authorization' }
    const isFresh = owner.nonce === 0n && owner.code === 'none'
    if (isFresh && factsOf(chain).supports7702) {
      return { kind: 'ask', permission: permissionJson(delegation(chain, place, owner.address)), topUp: null }
    }
    const fee = gas * prices.wanted.feeCap
    const held = owner.units < owner.coins ? owner.units : owner.coins
    // Less would arrive than its fee may be: moving it is a loss (S-6).
    if (held <= fee * 2n) return { kind: 'short', needed: fee * 2n + 1n }
    const tx = { ...feesOf(prices), gas, to: place.collector, value: held - fee, data: '0x' }
    const whole = { chainId: chainIdOf(chain), nonce: owner.nonce, ...tx }
    return {
      kind: 'ask',
      permission: permissionJson({ kind: 'transfer_tx', from: owner.address, tx: whole }),
      topUp: null,
    }
  })
}

type TokenPlace = PermissionPlace & { readonly token: string }
type TokenFacts = { readonly prices: Prices; readonly domain: TokenDomain | null }

/** A permit when the token accepts one from an account without code (S-4), else an approval that the account sends. */
async function composeToken(
  session: ChainSession,
  place: TokenPlace,
  owners: readonly Owner[],
  { prices, domain }: TokenFacts,
): Promise<Composed[]> {
  const isGiven = (owner: Owner) => owner.code === 'ours' || isAllowed(owner)
  const permitted = domain ? owners.filter((owner) => !isGiven(owner) && owner.code === 'none') : []
  const nonces = await permitNonces(session, place.token, permitted)
  const gas = await approvalGas(
    session,
    place,
    owners.find((owner) => !isGiven(owner) && !nonces.has(owner.address)),
  )
  return owners.map((owner) => {
    if (isGiven(owner)) return { kind: 'given', as: owner.code === 'ours' ? 'authorization' : 'approve_tx' }
    const nonce = nonces.get(owner.address)
    if (domain && nonce !== undefined) {
      const message = { owner: owner.address, spender: place.vault, value: EVERYTHING, nonce, deadline: EVERYTHING }
      return {
        kind: 'ask',
        permission: permissionJson({ kind: 'permit', from: owner.address, domain, message }),
        topUp: null,
      }
    }
    const tx = { ...feesOf(prices), gas, to: place.token, value: 0n, data: approveCall(place.vault) }
    const whole = { chainId: chainIdOf(session.chain), nonce: owner.nonce, ...tx }
    const needed = gas * prices.wanted.feeCap
    const fee = (TOP_UP_ROOM * TRANSFER_GAS * 2n * prices.wanted.feeCap) / 10n
    const topUp = owner.coins >= needed ? null : { units: (needed * TOP_UP_ROOM) / 10n - owner.coins, fee }
    return { kind: 'ask', permission: permissionJson({ kind: 'approve_tx', from: owner.address, tx: whole }), topUp }
  })
}

/** A fifth more than the fee (money.md 6.6), in tenths. */
const TOP_UP_ROOM = 12n

/** A plain transfer; its price may double before it is sent. */
const TRANSFER_GAS = 21_000n

function delegation(chain: Chain, { vault }: PermissionPlace, from: string): Permission {
  return {
    kind: 'authorization',
    from,
    authorization: { chainId: chainIdOf(chain), address: delegateOf(vault), nonce: 0n },
  }
}

async function permitNonces(
  session: ChainSession,
  token: string,
  owners: readonly Owner[],
): Promise<ReadonlyMap<string, bigint>> {
  const data = (owner: string) =>
    abiCoder().encodeFunctionData({ abi: tokenAbi(), functionName: 'nonces', args: [owner as Hex] })
  const calls = owners.map(({ address }) => jsonCall('eth_call', { to: token, data: data(address) }, 'latest'))
  const answers = await callAll(session, calls)
  return new Map(owners.map(({ address }, at) => [address, quantity(answers[at], 'nonce')]))
}

/** The gas of an approval, estimated for the first address that needs one; 0 when none does. */
async function approvalGas(session: ChainSession, { token, vault }: TokenPlace, owner?: Owner): Promise<bigint> {
  if (!owner) return 0n
  const call = jsonCall('eth_estimateGas', { from: owner.address, to: token, data: approveCall(vault) })
  const [estimate] = await callAll(session, [call])
  return withRoom(gasEstimate(estimate))
}

/** An estimate is of one moment, so a fifth more is allowed. */
function withRoom(gas: bigint): bigint {
  return (gas * 12n + 9n) / 10n
}

function feesOf({ wanted }: Prices) {
  return { tip: wanted.tip, feeCap: wanted.feeCap }
}

function chainIdOf({ network }: Chain): bigint {
  if (network.chainId === undefined) throw new Error('An EVM chain has an id')
  return BigInt(network.chainId)
}

function unread(address: string): never {
  throw new Error(`Nothing was read of ${address}`)
}
