/** The sandbox's block explorer: the local chains have no public one, and "look at it on chain" must still work. */
import { createHash } from 'node:crypto'
import type { Address, ChainSession, TxFacts } from '@kassa/chains/adapter.ts'
import { chainIn } from '@kassa/chains/chain.ts'
import { InvalidInput } from '@kassa/chains/errors.ts'
import { ASSETS, assetsIn, findAsset } from '@kassa/primitives/chains/assets.ts'
import type { Blockchain } from '@kassa/primitives/chains/blockchain.ts'
import { findBlockchain as findDefinition } from '@kassa/primitives/chains/blockchains.ts'
import { formatUnits } from '@kassa/primitives/money/units.ts'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { asSystem, type Context } from '../context.ts'
import { pagePolicy } from '../http/headers.ts'
import { adapterOf, findBlockchain } from '../modules/blockchains/chains/service.ts'
import { openSession, readHeldNow } from '../modules/blockchains/nodes/service.ts'
import { escapeHtml } from '../pages/html.ts'

const STYLE =
  ':root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:3rem auto;padding:0 1rem}' +
  'dl{display:grid;grid-template-columns:max-content 1fr;gap:.5rem 1.5rem}dt{opacity:.7}' +
  'dd{margin:0;overflow-wrap:anywhere;font-variant-numeric:tabular-nums}h1{font-size:1.4rem}'
const STYLE_HASH = `sha256-${createHash('sha256').update(STYLE).digest('base64')}`

type Params = { readonly code: string; readonly id: string }
type FactRow = readonly [name: string, value: string]

/** Mounts `/sandbox/{code}/tx/{tx}` and `/sandbox/{code}/address/{address}`. */
export function mountExplorer(app: FastifyInstance, ctx: Context): void {
  app.get<{ Params: Params }>('/sandbox/:code/tx/:id', async (request, reply) => {
    const { code, id } = request.params
    const definition = findDefinition(code)
    const adapter = definition && adapterOf(definition.family)
    const txId = adapter?.transactions.normalizeId(id)
    const chain = txId ? await open(ctx, code) : null
    const facts = chain && txId && (await adapter?.reader.transaction(chain, txId))
    if (!chain || !txId || !facts) return sendPage(reply.code(404), 'There is nothing at this address.', [])
    return sendPage(reply, `Transaction on the sandbox's ${chain.chain.blockchain.name}`, transactionFacts(txId, facts))
  })
  app.get<{ Params: Params }>('/sandbox/:code/address/:id', async (request, reply) => {
    const { code, id } = request.params
    const definition = findDefinition(code)
    const address = definition && readAddress(definition, id)
    const chain = address ? await open(ctx, code) : null
    if (!chain || !address) return sendPage(reply.code(404), 'There is nothing at this address.', [])
    return sendPage(
      reply,
      `Address on the sandbox's ${chain.chain.blockchain.name}`,
      await addressFacts(chain, address),
    )
  })
}

/** Reads an address as its family does; null for what is none. */
function readAddress(definition: Blockchain, text: string): Address | null {
  try {
    return adapterOf(definition.family)?.addresses.normalize(chainIn('sandbox', definition), text) ?? null
  } catch (error) {
    if (error instanceof InvalidInput) return null
    throw error
  }
}

async function open(ctx: Context, code: string): Promise<ChainSession | null> {
  const blockchain = await findBlockchain(asSystem(ctx), code)
  return blockchain?.status === 'active' ? openSession(asSystem(ctx), blockchain.id) : null
}

function transactionFacts(id: string, facts: TxFacts): FactRow[] {
  const head: FactRow[] = [
    ['Hash', id],
    ['State', facts.state],
  ]
  if (!('block' in facts)) return head
  const block: FactRow[] = [
    ['Block', `${facts.block.height} · ${facts.block.hash}`],
    ['Mined at', facts.block.minedAt.toISOString()],
  ]
  const transfers = facts.state === 'included' ? facts.transfers : []
  const moved = transfers.flatMap((transfer): FactRow[] => {
    const asset = findAsset(transfer.assetId)
    const amount = asset ? `${formatUnits(transfer.units, asset.decimals)} ${asset.currency}` : String(transfer.units)
    return [
      ['Transfer', amount],
      ['From', transfer.senders.join(', ') || 'unknown'],
      ['To', transfer.to],
    ]
  })
  return [...head, ...block, ...moved]
}

async function addressFacts(session: ChainSession, address: Address): Promise<FactRow[]> {
  const { blockchain } = session.chain
  const here = new Set(
    assetsIn('sandbox')
      .filter((one) => one.blockchain === blockchain.code)
      .map(({ id }) => id),
  )
  const asks = ASSETS.filter(({ id }) => here.has(id)).map(({ id }) => ({ assetId: id, address }))
  const held = (await readHeldNow(session, asks)) ?? []
  return [
    ['Address', address],
    ...held.map((units, at): FactRow => {
      const asset = findAsset(asks[at]?.assetId ?? 0)
      return [asset?.currency ?? '', formatUnits(units, asset?.decimals ?? 0)]
    }),
  ]
}

function sendPage(reply: FastifyReply, title: string, facts: readonly FactRow[]): FastifyReply {
  const rows = facts.map(([name, value]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd>`).join('')
  const html =
    `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
    `<title>${escapeHtml(title)}</title><style>${STYLE}</style><main><h1>${escapeHtml(title)}</h1><dl>${rows}</dl>` +
    `<p>Local test chain: nothing here is real money.</p></main></html>`
  return reply
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': pagePolicy({ styleHashes: [STYLE_HASH] }),
    })
    .send(html)
}
