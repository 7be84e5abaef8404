import { lookup } from 'node:dns/promises'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'

import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'

import type { Network } from '../config/config.ts'
import { type Receiver, startReceiver } from '../testing/receiver.ts'
import { isPublicAddress } from './addresses.ts'
import { createEgress, type GuardedEgress } from './guarded.ts'

vi.mock('node:dns/promises', { spy: true })

const open: (GuardedEgress | Receiver)[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()))
})

function egress(network: Network, timeoutMs?: number, allowed?: () => Promise<string | null>): GuardedEgress {
  const made = createEgress(network, { ...(timeoutMs !== undefined && { timeoutMs }), ...(allowed && { allowed }) })
  open.push(made)
  return made
}
async function receiver(): Promise<Receiver> {
  const made = await startReceiver()
  open.push(made)
  return made
}
const post = (way: GuardedEgress, url: string) =>
  way.request('webhook', { url, method: 'POST', headers: { 'x-a': 'b' }, body: '{}' })
const resolveTo = (...addresses: string[]) =>
  vi
    .mocked(lookup)
    .mockImplementation((async () =>
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))) as never)

const HOSTILE = [
  ['loopback', 'http://127.0.0.1/'],
  ['all of loopback', 'http://127.9.9.9/'],
  ['loopback, IPv6', 'http://[::1]/'],
  ['this host', 'http://0.0.0.0/'],
  ['private, class A', 'http://10.0.0.1/'],
  ['private, class B', 'http://172.16.0.1/'],
  ['private, class C', 'http://192.168.1.1/'],
  ['private, IPv6', 'http://[fd00::1]/'],
  ['link-local', 'http://169.254.1.1/'],
  ['link-local, IPv6', 'http://[fe80::1]/'],
  ['the metadata service', 'http://169.254.169.254/latest/meta-data/'],
  ['the agent service of Azure', 'http://168.63.129.16/machine/?comp=goalstate'],
  ['the same as an IPv6 address', 'http://[::ffff:168.63.129.16]/'],
  ['carrier-grade NAT', 'http://100.64.0.1/'],
  ['IPv4-mapped', 'http://[::ffff:10.0.0.1]/'],
  ['IPv4-compatible', 'http://[::7f00:1]/'],
  ['6to4', 'http://[2002:7f00:1::]/'],
  ['NAT64', 'http://[64:ff9b::7f00:1]/'],
  ['Teredo', 'http://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/'],
  ['multicast', 'http://224.0.0.1/'],
  ['broadcast', 'http://255.255.255.255/'],
  ['reserved', 'http://240.0.0.1/'],
  ['decimal', 'http://2130706433/'],
  ['octal', 'http://0177.0.0.1/'],
  ['hexadecimal', 'http://0x7f000001/'],
  ['shortened', 'http://127.1/'],
  ['full-width digits', 'http://１２７.0.0.1/'],
  ['a local name', 'http://localhost/'],
  ['a local name with a dot at its end', 'http://localhost./'],
  ['a name below it', 'http://kassa.localhost/'],
  ['a name of the local network', 'http://printer.local/'],
  ['the cloud’s own name for metadata', 'http://metadata.google.internal/'],
  ['user-info', 'http://user:pass@example.com/'],
  ['another scheme', 'file:///etc/passwd'],
  ['no address', 'example.com'],
] as const

describe('egress.check', () => {
  it.each(HOSTILE)('refuses %s', (_name, url) => {
    for (const network of ['testnet', 'mainnet'] as const) {
      expect(() => egress(network).check('webhook', url)).toThrow(
        expect.objectContaining({ code: 'EGRESS_NOT_ALLOWED', details: expect.stringMatching(/^.{10,}\.$/) as string }),
      )
    }
  })

  it('allows loopback in the sandbox, and nothing else that is private', () => {
    const check = (url: string) => egress('sandbox').check('webhook', url)
    for (const url of ['http://127.0.0.1:4567/x', 'http://[::1]:4567/', 'http://localhost:4567/']) {
      expect(() => check(url)).not.toThrow()
    }
    for (const url of ['http://10.0.0.1/', 'http://169.254.169.254/', 'http://printer.local/', 'http://0.0.0.0/']) {
      expect(() => check(url)).toThrow(expect.objectContaining({ code: 'EGRESS_NOT_ALLOWED' }))
    }
  })

  it('allows webhooks the four ports, and https alone on mainnet', () => {
    const check = (network: Network, url: string) => () => egress(network).check('webhook', url)
    for (const port of ['', ':443', ':80', ':8443', ':8080']) {
      expect(check('mainnet', `https://shop.example${port}/hook`)).not.toThrow()
    }
    for (const port of [':22', ':25', ':5432', ':6379', ':8081']) {
      expect(check('testnet', `https://shop.example${port}/`)).toThrow('private or not allowed')
    }
    expect(check('mainnet', 'http://shop.example/')).toThrow('private or not allowed')
    expect(check('testnet', 'http://shop.example/')).not.toThrow()
    expect(() => egress('testnet').check('node', 'https://node.example:8545/')).not.toThrow()
  })
})

describe('egress.isPublicAddress', () => {
  it('lets public addresses through and nothing that is no address', () => {
    for (const text of ['8.8.8.8', '1.1.1.1', '2606:4700:4700::1111']) expect(isPublicAddress(text)).toBe(true)
    for (const text of ['', 'example.com', '1.2.3.4.5', 'fec0::1', '100::1']) expect(isPublicAddress(text)).toBe(false)
  })
})

describe('egress.request', () => {
  it('sends what it is given and reads the answer', async () => {
    const { url, requests, answerWith } = await receiver()
    answerWith({ status: 202, headers: { 'x-b': 'c' }, body: 'taken' })
    expect(await post(egress('sandbox'), url)).toMatchObject({ status: 202, headers: { 'x-b': 'c' }, body: 'taken' })
    expect(requests).toMatchObject([{ method: 'POST', body: '{}', headers: { 'x-a': 'b' } }])
  })

  it('judges the address again when it is called: a literal one is never resolved', async () => {
    const { url, requests } = await receiver()
    await expect(post(egress('testnet'), url.replace(/:\d+/, ''))).rejects.toMatchObject({ code: 'EGRESS_NOT_ALLOWED' })
    expect(requests).toHaveLength(0)
  })

  it('refuses a name that leads to a private address, also as one of several', async () => {
    for (const addresses of [['10.0.0.1'], ['127.0.0.1'], ['8.8.8.8', '169.254.169.254'], ['::ffff:7f00:1'], []]) {
      resolveTo(...addresses)
      await expect(post(egress('testnet'), 'http://shop.example/')).rejects.toThrow('leads to a private address')
    }
    expect(vi.mocked(lookup)).toHaveBeenCalledTimes(5)
  })

  it('connects to the address it judged, whatever the name says a second time', async () => {
    const { url, requests } = await receiver()
    vi.mocked(lookup).mockResolvedValueOnce([{ address: '127.0.0.1', family: 4 }] as never)
    resolveTo('10.0.0.1')
    expect((await post(egress('sandbox'), url.replace('127.0.0.1', 'shop.example'))).status).toBe(200)
    expect(requests[0]?.headers.host).toMatch(/^shop\.example:/)
    expect(vi.mocked(lookup)).toHaveBeenCalledTimes(1)
  })

  it('does not follow a redirect', async () => {
    const [from, to] = [await receiver(), await receiver()]
    from.answerWith({ status: 302, headers: { location: to.url } })
    expect(await post(egress('sandbox'), from.url)).toMatchObject({ status: 302, headers: { location: to.url } })
    expect(to.requests).toHaveLength(0)
  })

  it('keeps 64 KiB of an answer', async () => {
    const { url, answerWith } = await receiver()
    answerWith({ status: 200, body: 'x'.repeat(3_000_000) })
    expect((await post(egress('sandbox'), url)).body).toHaveLength(64 * 1024)
  })

  it('gives up on a receiver that accepts and never answers, and on one that never ends', async () => {
    const { url, answerWith } = await receiver()
    answerWith('silence')
    await expect(post(egress('sandbox', 200), url)).rejects.toThrow(/timeout/i)
    const dripping = createServer((socket) => {
      socket.on('error', () => undefined)
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n')
      const timer = setInterval(() => socket.write('1\r\nx\r\n'), 50)
      socket.on('close', () => clearInterval(timer))
    })
    await new Promise<void>((resolve) => dripping.listen(0, '127.0.0.1', resolve))
    const { port } = dripping.address() as AddressInfo
    await expect(post(egress('sandbox', 400), `http://127.0.0.1:${port}/`)).rejects.toThrow(/timeout/i)
    await new Promise((resolve) => dripping.close(resolve))
  })
})

describe('egress.allowed', () => {
  const allowing = async (list: string) => {
    const made = egress('testnet', undefined, async () => list)
    await made.refresh()
    return made
  }

  it('opens the named networks for the named purpose, and nothing else', async () => {
    const { check } = await allowing('node:10.1.0.0/16,webhook:192.168.7.7/32, price:fd00::/8')
    for (const url of ['http://10.1.2.3:8545/', 'http://[::ffff:10.1.2.3]:8545/'])
      expect(() => check('node', url)).not.toThrow()
    expect(() => check('webhook', 'http://192.168.7.7/')).not.toThrow()
    expect(() => check('price', 'http://[fd00::1]/')).not.toThrow()
    for (const [purpose, url] of [
      ['node', 'http://10.2.0.1:8545/'],
      ['node', 'http://192.168.7.7/'],
      ['node', 'http://127.0.0.1:8545/'],
      ['node', 'http://169.254.169.254/'],
      ['webhook', 'http://10.1.2.3/'],
      ['webhook', 'http://192.168.7.8/'],
      ['webhook', 'http://192.168.7.7:5432/'],
      ['smtp', 'http://10.1.2.3/'],
    ] as const) {
      expect(() => check(purpose, url)).toThrow(expect.objectContaining({ code: 'EGRESS_NOT_ALLOWED' }))
    }
  })

  it('lets a local name through only into an open network', async () => {
    const way = await allowing('node:10.1.0.0/16')
    expect(() => way.check('webhook', 'http://node.local/')).toThrow('private or not allowed')
    expect(() => way.check('node', 'http://node.local:8545/')).not.toThrow()
    for (const addresses of [['10.2.0.1'], ['10.1.0.1', '127.0.0.1']]) {
      resolveTo(...addresses)
      await expect(way.request('node', { url: 'http://node.local:8545/', method: 'GET', headers: {} })).rejects.toThrow(
        'leads to a private address',
      )
    }
  })

  it('calls a node inside an open network, and guards its client as every other call', async () => {
    const { url, requests } = await receiver()
    const init = {
      method: 'POST',
      headers: {},
      body: '{}',
      signal: AbortSignal.timeout(5_000),
      redirect: 'error',
    } as const
    const fetch = (await allowing('node:127.0.0.0/8')).fetch('node')
    expect((await fetch(url, init)).status).toBe(200)
    await expect((await allowing('')).fetch('node')(url, init)).rejects.toMatchObject({ code: 'EGRESS_NOT_ALLOWED' })
    resolveTo('127.0.0.1')
    const named = url.replace('127.0.0.1', 'node.example')
    await expect((await allowing('webhook:127.0.0.0/8')).fetch('node')(named, init)).rejects.toThrow('fetch failed')
    expect(requests).toHaveLength(1)
  })

  it('follows what is set while it runs, and keeps the former list while it cannot be read', async () => {
    let list = ''
    const made = egress('testnet', undefined, async () =>
      list === 'broken' ? Promise.reject(new Error('gone')) : list,
    )
    const isOpen = () => {
      try {
        made.check('node', 'http://10.0.0.1/')
        return true
      } catch {
        return false
      }
    }
    expect(isOpen()).toBe(false)
    list = 'node:10.0.0.0/8'
    await made.refresh()
    expect(isOpen()).toBe(true)
    list = 'broken'
    await expect(made.refresh()).rejects.toThrow('gone')
    expect(isOpen()).toBe(true)
  })
})

describe('egress.request, where only the head matters', () => {
  const ask = (way: GuardedEgress, url: string) =>
    way.request('webhook', { url, method: 'POST', headers: {}, body: '{}', excerptBytes: 4 })

  it('takes the status of an answer whose body never ends, and what came of it', async () => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined).resume()
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nab')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const answer = await ask(egress('sandbox'), `http://127.0.0.1:${port}/`)
    expect([answer.status, answer.body]).toEqual([200, 'ab'])
  })

  it('reads no more than it was asked to', async () => {
    const target = await receiver()
    target.answerWith({ status: 201, body: 'abcdefgh' })
    expect((await ask(egress('sandbox'), target.url)).body).toBe('abcd')
  })
})
