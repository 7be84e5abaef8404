// Cold wallets: addresses that the merchant alone can spend from. Money leaves deposit addresses for them, so an address is
// checked before it is accepted, everybody who could object is informed, and on mainnet a day passes before it is used.
import { chainIn } from '@kassa/chains/chain.ts'
import { InvalidInput } from '@kassa/chains/errors.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'
import type { NewColdWallet } from '@kassa/contract/wallets/cold-routes.ts'
import { findFamily } from '@kassa/primitives/chains/families.ts'
import { type Context, inTransaction } from '../../../context.ts'
import type { Description } from '../../../http/handlers.ts'
import { job } from '../../../jobs/jobs.ts'
import { adapterOf, type BlockchainRow, findBlockchain } from '../../blockchains/chains/service.ts'
import { sendEmail, acceptsEmails } from '../../mail/service.ts'
import { rootEmails } from '../../operators/accounts/service.ts'
import { getProject } from '../../projects/service.ts'
import { addOwnAddress } from '../own-addresses/service.ts'
import { requireNotOurs } from '../ownership/service.ts'
import { findWalletRow, insertDefaults, insertWallet, reviveWallet, type WalletRow } from '../wallet/store.ts'
import { coldWalletChanged } from './emails.ts'
import {
  type ColdRow,
  findColdWallet,
  findDefaultCold,
  listColdAddresses,
  updateUsableAt,
  upsertColdAddress,
} from './store.ts'

export { findDefaultCold } from './store.ts'
export type { ColdRow } from './store.ts'

const HOUR_MS = 3_600_000

type Input = NewColdWallet & { readonly blockchain: string }
type News = Parameters<typeof coldWalletChanged>[0]
/** Mails of an earlier version do not name the change. */
type Mail = Omit<News, 'usableAt' | 'change'> & {
  readonly to: string
  readonly usableAt: string
  readonly change?: News['change']
}

export const mailColdWalletJob = job({
  queue: 'wallets.mail-cold-wallet',
  worker: 'email-processor',
  async run(ctx: Context, { to, usableAt, change = 'added', ...wallet }: Mail) {
    const message = coldWalletChanged({ ...wallet, change, usableAt: new Date(usableAt) })
    if (await acceptsEmails(ctx)) await sendEmail(ctx, { to, message })
  },
})

/** Hours between a change of the destination and the first money sent to it: time for a member to object. */
export function walletChangeDelayHours(ctx: Context): number {
  return ctx.config.network === 'mainnet' ? 24 : 0
}

/** The addresses of every cold wallet, by wallet. */
export function listColdFacts(ctx: Context): Promise<ColdRow[]> {
  return listColdAddresses(ctx)
}

/**
 * Adds a cold wallet on a blockchain and informs every root by mail.
 * @throws BLOCKCHAIN_NOT_FOUND, FAMILY_UNSUPPORTED, ADDRESS_INVALID, ADDRESS_IS_OURS, WALLET_EXISTS, PROJECT_NOT_FOUND
 */
export async function addColdWallet(ctx: Context, input: Input): Promise<WalletRow> {
  return inTransaction(ctx, async (tx) => {
    const { family, blockchain, address, key, known } = await coldAddress(tx, input)
    const wallet = known ? await reviveWallet(tx, known.id, input.name) : await insertColdRow(tx, input.name)
    const usableAt = usableFrom(tx)
    const place = { wallet_id: wallet.id, family_id: family.id, blockchain_id: blockchain.id }
    await upsertColdAddress(tx, { ...place, key, address, project_id: input.projectID ?? null, usable_at: usableAt })
    await addOwnAddress(tx, { blockchainId: blockchain.id, address, role: 'cold', walletId: wallet.id })
    await insertDefaults(tx, { familyId: family.id, roles: ['cold'], walletId: wallet.id })
    const facts = { blockchain: blockchain.code, address, usableAt, projectID: input.projectID ?? null }
    tx.change(null, { walletID: wallet.id, name: wallet.name, ...facts })
    await tx.events.emit(tx, { type: 'wallet.changed', projectId: null, payload: { wallet_id: wallet.id } })
    await mailRoots(tx, { change: 'added', name: wallet.name, address, blockchain: blockchain.name, usableAt })
    return wallet
  })
}

/**
 * Makes a cold wallet that is activated again wait like a new one, and informs every root by mail: whoever deactivated it may
 * have objected to its address. Joins the open transaction, which holds the wallet's lock. Returns whether another one receives
 * the money of its blockchain while it waits.
 */
export async function delayColdWallet(
  tx: Context,
  wallet: { readonly id: number; readonly name: string },
): Promise<boolean> {
  const usableAt = usableFrom(tx)
  const row = await updateUsableAt(tx, wallet.id, usableAt)
  const blockchain = row && (await findBlockchain(tx, row.blockchain_id))
  if (!row || !blockchain) return false
  const { address } = row
  await mailRoots(tx, { change: 'activated', name: wallet.name, address, blockchain: blockchain.name, usableAt })
  if (usableAt <= tx.now()) return false
  return (await findDefaultCold(tx, row.blockchain_id))?.wallet_id !== wallet.id
}

function usableFrom(ctx: Context): Date {
  return new Date(ctx.now().getTime() + walletChangeDelayHours(ctx) * HOUR_MS)
}

async function mailRoots(tx: Context, { usableAt, ...news }: Omit<News, 'by'>): Promise<void> {
  if (!(await acceptsEmails(tx))) return
  const by = tx.caller.kind === 'operator' ? tx.caller.email : 'Somebody'
  for (const to of await rootEmails(tx)) {
    await mailColdWalletJob.send(tx, { ...news, by, usableAt: usableAt.toISOString(), to })
  }
}

/** A cold wallet by its address, and whether money may go there now. */
export type Collector = { readonly walletId: number; readonly name: string; readonly isUsable: boolean }

/** Finds the cold wallet with this address on a blockchain; null when there is none or it is deleted. */
export async function findCollector(ctx: Context, blockchainId: number, address: string): Promise<Collector | null> {
  const row = (await listColdFacts(ctx)).find((one) => one.blockchain_id === blockchainId && one.address === address)
  const wallet = row && (await findWalletRow(ctx, row.wallet_id))
  if (!row || !wallet) return null
  const isUsable = wallet.status === 'active' && row.usable_at <= ctx.now()
  return { walletId: wallet.id, name: wallet.name, isUsable }
}

/** Says what adding a cold wallet will do. @throws as `addColdWallet` */
export async function describeColdWallet(ctx: Context, input: Input): Promise<Description> {
  const { blockchain, address } = await coldAddress(ctx, input)
  const hours = walletChangeDelayHours(ctx)
  return {
    lines: [{ code: 'cold_wallet_added', params: { blockchain: blockchain.name, wallet: input.name, address, hours } }],
    happens: { blockchain: blockchain.code, address, name: input.name, projectId: input.projectID ?? null, hours },
  }
}

/** Reads the address strictly and makes sure that money can be sent there. */
async function coldAddress(ctx: Context, { blockchain: name, address: text, projectID }: Input) {
  const blockchain = (await findBlockchain(ctx, name)) ?? fail('BLOCKCHAIN_NOT_FOUND')
  const family = findFamily(blockchain.definition.family) ?? fail('FAMILY_UNSUPPORTED')
  if (projectID !== undefined) await getProject(ctx, projectID)
  const { address, key } = parseAddress(ctx, blockchain, text)
  await requireNotOurs(ctx, family, key, { sharedAs: 'cold' })
  const known = await findColdWallet(ctx, blockchain.id, key)
  if (known?.isDeleted === false) return fail('WALLET_EXISTS', { fields: { address: 'It is a cold wallet already.' } })
  return { family, blockchain, address, key, known }
}

/** @throws FAMILY_UNSUPPORTED, ADDRESS_INVALID */
function parseAddress(ctx: Context, blockchain: BlockchainRow, text: string): { address: string; key: Buffer } {
  const codec = adapterOf(blockchain.definition.family)?.addresses ?? fail('FAMILY_UNSUPPORTED')
  const chain = chainIn(ctx.config.network, blockchain.definition)
  const values = { chain: blockchain.name }
  try {
    const address = codec.parse(chain, text)
    const key = Buffer.from(codec.key(chain, address))
    if (!isSpendable(key)) throw new InvalidInput('ADDRESS_INVALID', 'No key can spend from this address')
    return { address, key }
  } catch (thrown) {
    if (!(thrown instanceof InvalidInput)) throw thrown
    return fail('ADDRESS_INVALID', { values, details: thrown.message, fields: { address: thrown.message } })
  }
}

/** Addresses that are zero except for the last two bytes have no key: the zero address, built-in contracts, 0x…dEaD. */
function isSpendable(key: Buffer): boolean {
  return key.subarray(0, -2).some((byte) => byte !== 0)
}

function insertColdRow(tx: Context, name: string): Promise<WalletRow> {
  return insertWallet(tx, {
    name,
    wallet_type: 'cold_wallet',
    wallet_sub_type: 'eoa',
    secret_type: 'none',
    created_by: tx.caller.kind === 'operator' ? tx.caller.operatorId : null,
  })
}
