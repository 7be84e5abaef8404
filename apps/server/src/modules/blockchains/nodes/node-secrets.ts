/** The secrets of a node, sealed in the vault: its whole URL when that holds user-info or keys, and its credentials. */
import { maskUrl } from '@kassa/chains/node/mask.ts'
import type { NodeOptions } from '@kassa/chains/node/client.ts'
import type { NodeChange } from '@kassa/contract/blockchains/inputs.ts'
import type { ChainFamily } from '@kassa/primitives/chains/families.ts'

import type { Context } from '../../../context.ts'
import { open, seal } from '../../vaults/service.ts'
import type { NodeRow } from './node.ts'

/** An empty text means "none". */
export type NodeAddress = {
  readonly url: string
  readonly apiKey: string
  readonly authUsername: string
  readonly authPassword: string
}

const KIND = 'node'

/** Moves user-info out of a URL into user name and password. */
export function splitAddress(address: NodeAddress): NodeAddress {
  const url = new URL(address.url)
  const { username, password } = url
  url.username = ''
  url.password = ''
  const plain = { ...address, url: url.href.replace(/\/$/, '') }
  if (username === '' && password === '') return plain
  return {
    ...plain,
    authUsername: address.authUsername || decodeURIComponent(username),
    authPassword: address.authPassword || decodeURIComponent(password),
  }
}

type Change = Pick<NodeChange, 'url' | 'apiKey' | 'authUsername' | 'authPassword'>

/**
 * An absent field keeps its secret unless the node moves to another origin: a secret is never sent to another server.
 */
export function changedAddress(change: Change, former: NodeAddress): NodeAddress {
  const url = change.url ?? former.url
  const isSameOrigin = new URL(url).origin === new URL(former.url).origin
  const retained = isSameOrigin ? former : { apiKey: '', authUsername: '', authPassword: '' }
  return splitAddress({
    url,
    apiKey: change.apiKey ?? retained.apiKey,
    authUsername: change.authUsername ?? retained.authUsername,
    authPassword: change.authPassword ?? retained.authPassword,
  })
}

/** The URL without its keys: it may be shown and stored in the open. */
export function shownUrl({ url }: NodeAddress): string {
  return maskUrl(url)
}

/** Seals an address unless it holds no secret; returns the secret's id, or null. Joins the open transaction. */
export async function sealAddress(ctx: Context, address: NodeAddress): Promise<number | null> {
  const { url, apiKey, authUsername, authPassword } = address
  const isPlain = shownUrl(address) === url && apiKey === '' && authUsername === '' && authPassword === ''
  if (isPlain) return null
  const value = Buffer.from(JSON.stringify({ url, apiKey, authUsername, authPassword }))
  return seal(ctx, { kind: KIND, label: shownUrl(address), value })
}

/** Opens the address of a node. */
export async function openAddress(ctx: Context, node: Pick<NodeRow, 'url' | 'secretId'>): Promise<NodeAddress> {
  if (node.secretId === null) return splitAddress({ url: node.url, apiKey: '', authUsername: '', authPassword: '' })
  const value = await open(ctx, node.secretId)
  try {
    return JSON.parse(value.toString('utf8')) as NodeAddress
  } finally {
    value.fill(0)
  }
}

/**
 * Turns an address into client options: Basic for a user, else the key as Bearer; a key with its own header uses that.
 */
export function clientOptions(family: ChainFamily, address: NodeAddress): Omit<NodeOptions, 'id' | 'fetch'> {
  const { url, apiKey, authUsername, authPassword } = address
  const headers: Record<string, string> = {}
  if (apiKey !== '') {
    headers[family === 'TRX_Family' ? 'tron-pro-api-key' : 'x-api-key'] = apiKey
    headers['authorization'] = `Bearer ${apiKey}`
  }
  const pair = Buffer.from(`${authUsername}:${authPassword}`).toString('base64')
  if (authUsername !== '' || authPassword !== '') headers['authorization'] = `Basic ${pair}`
  return { url, headers, secrets: [apiKey, authPassword, authUsername, pair].filter((secret) => secret.length > 1) }
}
