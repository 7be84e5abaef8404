import type { Context } from '../../../context.ts'
import type { ProjectRow } from '../../projects/service.ts'
import { allowedOrigins, linkOrigins, siteUrl } from '../../settings/service.ts'
import { ownExplorers } from '../../blockchains/chains/service.ts'
import type { NetworkMode } from '@kassa/primitives/chains/blockchain.ts'
import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'

/**
 * Where the payer pays, and the API base of this install, which the link names only where it is another origin than its own.
 * A project's own frontend is used when it is allowed.
 */
export async function linkTo(
  ctx: Context,
  project: ProjectRow,
  reference: string,
): Promise<{ url: string; host: string }> {
  const own = URL.parse(project.frontend_endpoint)?.origin
  const isAllowed = own !== undefined && (await allowedOrigins(ctx)).includes(own)
  const origins = await linkOrigins(ctx)
  const site = isAllowed ? own : (origins.site ?? '')
  const host = origins.backend ?? site
  return { url: `${site}/payments?reference_id=${reference}${host === site ? '' : `&host=${host}`}`, host }
}

/** Reads what links of this install are made of. */
export async function linkContextOf(ctx: Context): Promise<LinkContext> {
  return { mode: ctx.config.network, siteUrl: (await siteUrl(ctx)) ?? '', explorers: await ownExplorers(ctx) }
}

/** What links are made of: the install's own address, and which networks it speaks to. */
export type LinkContext = {
  readonly mode: NetworkMode
  readonly siteUrl: string
  /** Explorers that operators chose themselves, by blockchain code. */
  readonly explorers: ReadonlyMap<string, string>
}

/** Where a transaction can be looked up; the sandbox's explorer is a page of our own. */
export function transactionLink(
  { mode, siteUrl, explorers }: LinkContext,
  blockchainCode: string,
  txId: string,
): string {
  const usual = findBlockchain(blockchainCode)?.networks[mode].explorerTransaction ?? ''
  const template = explorers.get(blockchainCode) ?? usual
  return onSite({ siteUrl }, template.replace('{tx}', txId))
}

export function onSite({ siteUrl }: Pick<LinkContext, 'siteUrl'>, link: string): string {
  return link.startsWith('/') ? `${siteUrl}${link}` : link
}
