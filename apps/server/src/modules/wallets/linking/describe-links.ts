import type { LinkWallets } from '@kassa/contract/wallets/schemas.ts'
import type { Context } from '../../../context.ts'
import type { Description } from '../../../http/handlers.ts'
import { getProject } from '../../projects/service.ts'
import { walletChangeDelayHours } from '../cold/service.ts'
import type { AddressSource } from '../sources/store.ts'
import { findWalletRow } from '../wallet/store.ts'
import { type Linkable, linkable, lockForLinking } from './linkable.ts'
import { findFormerWallet } from './store.ts'

type NewLink = Linkable & { readonly former: { readonly id: number; readonly name: string } | undefined }

/**
 * Says what linking wallets will do where a wallet replaces another one; null where none does. Until the transaction ends,
 * nobody else links wallets to the project.
 * @throws WALLET_NOT_FOUND, WALLET_NOT_DEPOSIT, WALLET_INACTIVE, FAMILY_MISMATCH
 */
export async function describeLinks(ctx: Context, projectId: number, input: LinkWallets): Promise<Description | null> {
  await lockForLinking(ctx, projectId, input)
  const { name: project } = await getProject(ctx, projectId)
  const links: NewLink[] = []
  for (const choice of input.wallets) {
    const link = await linkable(ctx, choice)
    const formerId = await findFormerWallet(ctx, projectId, link.family.id)
    if (formerId === link.wallet.id) continue
    links.push({ ...link, former: formerId === undefined ? undefined : await nameOf(ctx, formerId) })
  }
  if (!links.some(({ former }) => former)) return null
  const hours = walletChangeDelayHours(ctx)
  return {
    lines: [
      ...links.map((link) => lineOf(project, link)),
      ...(hours === 0 ? [] : [{ code: 'wallet_change_waits', params: { hours } } as const]),
      { code: 'customers_keep_addresses', params: {} },
    ],
    happens: links.map(({ family, wallet, source, former }) => ({
      projectId,
      family: family.family,
      from: former?.id ?? null,
      to: wallet.id,
      ...(former && hours > 0 && { hours }),
      ...sourceFacts(source),
    })),
  }
}

/** A wallet that was deleted after it was unlinked has no name any more. */
async function nameOf(ctx: Context, id: number) {
  return { id, name: (await findWalletRow(ctx, id))?.name ?? `wallet ${id}` }
}

function sourceFacts(source: AddressSource) {
  if (source.kind === 'xpub') return { xpub: source.xpub, path: source.path }
  return source.kind === 'create2' ? { contract: source.vault } : { list: source.wallet_id }
}

function lineOf(project: string, { family, wallet, source, former }: NewLink): Description['lines'][number] {
  const of = {
    fingerprint: source.kind === 'xpub' ? source.fingerprint : '',
    ...(source.kind === 'create2' && { contract: source.vault }),
  }
  const params = { project, family: family.family, wallet: wallet.name, ...of }
  return former
    ? { code: 'wallet_replaced', params: { ...params, former: former.name } }
    : { code: 'wallet_linked', params }
}
