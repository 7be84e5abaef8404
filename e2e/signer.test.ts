import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { approveCall, EVERYTHING } from '@kassa/keys/evm/permission.ts'
import { permissionJson } from '@kassa/keys/evm/permission-json.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { signerPage } from '../packages/signer/build.ts'
import { openBrowser, violationsOf } from './browser.ts'
import { PHRASE } from './shop.ts'

const FROM = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
const [TOKEN, VAULT, COLLECTOR, THIEF] = ['aa', 'bb', 'cc', 'dd'].map((byte) => `0x${byte.repeat(20)}`) as [
  string,
  string,
  string,
  string,
]

const job = (spender: string, kind: 'permit' | 'approve' = 'permit') => {
  const domain = { name: 'USD Coin', version: '2', chainId: 31_337n, verifyingContract: TOKEN }
  const message = { owner: FROM, spender, value: EVERYTHING, nonce: 0n, deadline: EVERYTHING }
  const fees = { chainId: 31_337n, nonce: 0n, tip: 1n, feeCap: 9n, gas: 60_000n }
  const approval =
    kind === 'permit'
      ? permissionJson({ kind: 'permit', from: FROM, domain, message })
      : permissionJson({
          kind: 'approve_tx',
          from: FROM,
          tx: { ...fees, to: TOKEN, value: 0n, data: approveCall(spender) },
        })
  const row = { addressID: 12, address: FROM, path: "m/44'/60'/0'/0/3", state: 'pending-approval', approval }
  return JSON.stringify({
    batchID: '7',
    blockchainCode: 'ETH',
    currencyCode: 'USDC',
    currencyAddress: TOKEN,
    data: [row],
  })
}

let browser: Browser
let folder: string
let host: Server
let url: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'kassa-signer-page-'))
  const page = await signerPage()
  writeFileSync(join(folder, 'signer.html'), page)
  writeFileSync(join(folder, 'job.json'), job(VAULT))
  writeFileSync(join(folder, 'hostile.json'), job(THIEF, 'approve'))
  host = createServer((request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(
      request.url === '/signer' ? page : '<iframe id="signer" src="/signer" sandbox="allow-scripts"></iframe>',
    )
  })
  await new Promise<void>((done) => host.listen(0, '127.0.0.1', done))
  url = `http://127.0.0.1:${(host.address() as AddressInfo).port}/`
  browser = await openBrowser()
}, 60_000)
afterAll(async () => {
  await browser.close()
  host.close()
  rmSync(folder, { recursive: true })
})

async function openSeed(page: Pick<Page, 'getByLabel' | 'getByRole'>): Promise<void> {
  await page.getByLabel('Recovery phrase, 12 to 24 words').fill(PHRASE)
  await page.getByRole('button', { name: 'Open' }).click()
}

async function pinEnds(page: Pick<Page, 'getByLabel' | 'getByRole'>): Promise<void> {
  await page.getByLabel('Vault (sweep contract)').fill(VAULT)
  await page.getByLabel('Collector (your cold address)').fill(COLLECTOR)
  await page.getByRole('button', { name: 'Remember' }).click()
}

describe('the signer', () => {
  it('opens from disk, signs for the vault that a person entered, and nothing else', async () => {
    const page = await browser.newPage({ viewport: { width: 390, height: 900 } })
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.goto(pathToFileURL(join(folder, 'signer.html')).href)
    expect(await violationsOf(page)).toEqual([])
    await openSeed(page)
    await page.getByLabel('Job file of Kassa').setInputFiles(join(folder, 'job.json'))
    await pinEnds(page)
    await page.getByRole('button', { name: 'Sign', exact: true }).click()
    await expect.poll(() => page.getByText('1 signed.').isVisible()).toBe(true)
    const link = await page.getByRole('link', { name: 'Download signatures' }).getAttribute('href')
    const { batchID, signatures } = JSON.parse(
      decodeURIComponent(String(link).split(',').slice(1).join(',')),
    ) as Record<string, unknown>
    expect(batchID).toBe('7')
    expect(signatures).toMatchObject([{ addressID: 12, permit: { v: expect.any(Number) as number } }])
    await page.getByLabel('Job file of Kassa').setInputFiles(join(folder, 'hostile.json'))
    await expect.poll(() => page.getByText('somebody else than your vault').isVisible()).toBe(true)
    expect(await page.getByRole('button', { name: 'Sign', exact: true }).isEnabled()).toBe(false)
    expect(asked).toHaveLength(1)
    await page.close()
  })

  it('takes a job from the page around it and answers with signatures, never with words', async () => {
    const page = await browser.newPage()
    await page.goto(url)
    await page.evaluate(`
      window.heard = []
      window.addEventListener('message', ({ data }) => window.heard.push(data))
      document.querySelector('iframe').contentWindow.postMessage({ kassaSigner: 'job', job: ${JSON.stringify(job(VAULT))} }, '*')
    `)
    const frame = page.frameLocator('#signer')
    await openSeed(frame)
    await pinEnds(frame)
    await frame.getByRole('button', { name: 'Sign', exact: true }).click()
    const heard = () => page.evaluate<{ kassaSigner: string }[]>('window.heard')
    await expect.poll(async () => (await heard()).some(({ kassaSigner }) => kassaSigner === 'signed')).toBe(true)
    expect(JSON.stringify(await heard())).not.toContain('junk')
    await page.close()
  })
})
