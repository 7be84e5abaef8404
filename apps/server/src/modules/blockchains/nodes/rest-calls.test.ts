import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect } from '@kassa/chains/node/client.ts'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Network } from '../../../config/config.ts'
import type { Context } from '../../../context.ts'
import { createEgress } from '../../../egress/guarded.ts'
import type { NodeRow } from './node.ts'
import { clientOptions } from './node-secrets.ts'
import { clientsOf, pooled } from './pool.ts'

/** A node that is asked by HTTP paths, as TRON's are; it answers with what it was asked. */
async function restNode() {
  const asked: string[] = []
  let status = 200
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const key = String(request.headers['tron-pro-api-key'])
      asked.push(`${request.method} ${request.url} ${key} ${Buffer.concat(chunks).toString()}`)
      response.writeHead(status).end('{"blockID":"00"}')
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, asked, answerWith: (next: number) => (status = next) }
}

/** The client that adapters get, with a daily budget, through the guarded way out of a network mode. */
function clientFor(url: string, network: Network) {
  const egress = createEgress(network)
  onTestFinished(() => egress.close())
  const row = { id: 1, blockchainId: 1, url, secretId: null, isActive: true, maxDailyCalls: 2, callsToday: 0 }
  const ctx = { memory: new Map(), now: () => new Date(), config: { network } } as unknown as Context
  const node = pooled(ctx, row as NodeRow)
  const address = { url, apiKey: 'k3y-of-the-node', authUsername: '', authPassword: '' }
  const options = { id: 1, ...clientOptions('TRX_Family', address), fetch: egress.fetch('node') }
  return { node, client: clientsOf(node, connect(options)).head }
}

const NOW = { rpc: 'rest', path: '/wallet/getnowblock' } as const

describe('nodes asked by HTTP paths', () => {
  it('are asked through the guarded way out, with their key, within their budget', async () => {
    const { url, asked } = await restNode()
    const { client, node } = clientFor(url, 'sandbox')
    expect(await client.call(NOW)).toEqual({ blockID: '00' })
    await client.call({ rpc: 'rest', path: '/wallet/getblock', body: { id_or_num: '7' } })
    expect(asked).toEqual([
      'GET /wallet/getnowblock k3y-of-the-node ',
      'POST /wallet/getblock k3y-of-the-node {"id_or_num":"7"}',
    ])
    await expect(client.call(NOW)).rejects.toMatchObject({ kind: 'limited' })
    expect([asked.length, node.unsaved.calls]).toEqual([2, 2])
  })

  it('are not asked at a private address outside the sandbox', async () => {
    const { url, asked } = await restNode()
    await expect(clientFor(url, 'testnet').client.call(NOW)).rejects.toThrow('private')
    expect(asked).toEqual([])
  })

  it('go into backoff like every other node, and their key is in no message', async () => {
    const { url, answerWith } = await restNode()
    const { client, node } = clientFor(url, 'sandbox')
    answerWith(503)
    const error = await client.call(NOW).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ kind: 'unreachable' })
    expect(String(error)).not.toContain('k3y')
    expect(node.health.failuresInRow).toBe(1)
  })
})
