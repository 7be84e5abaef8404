import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { AT, me, sandboxConfiguration } from '../../testing/answers.ts'
import { blockchain, books, price } from '../../testing/install-answers.ts'
import { renderScreen } from '../../testing/render-screen.tsx'
import { refusal, stubServer } from '../../testing/stub-server.ts'
import type { Answers } from '../../testing/stub-server.ts'
import { SystemHealth } from './SystemHealth.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  localStorage.clear()
})

const worker = (name: string, change: object = {}) => ({
  name,
  status: 'RUNNING',
  details: 'Last run 3 s ago, 0 waiting.',
  ...change,
})

const well: Answers = {
  'GET /member/me': () => me(),
  'GET /system/alarms': () => [],
  'GET /ledger/check': () => books(),
  'GET /blockchains': () => [blockchain()],
  'GET /ticker': () => [price('USDC'), price('ETH', { price: '3021.55' })],
  'GET /health': () => ({
    status: 'ok',
    db: 'ok',
    version: '0.1.0',
    reason: null,
    workers: { 'base-listener': 'RUNNING', 'webhook-processor': 'RUNNING' },
  }),
  'GET /system/workers/status': () => ({ status: [worker('base-listener'), worker('webhook-processor')] }),
  'GET /system/backups': () => ({ isDue: false, remindAfterDays: 7, last: null, restored: null }),
  'GET /configuration/default': () => sandboxConfiguration,
  'GET /version': () => ({ version: '0.1.0', build: '27a5db4e0c11', builtAt: AT, image: '' }),
  'GET /system': () => ({
    code: null,
    frontendServer: 'https://pay.acme.example',
    backendServer: 'https://api.acme.example',
    server: 'https://api.acme.example',
    blockchainNetwork: 'sandbox',
  }),
}

function show(answers: Answers) {
  const calls = stubServer({ ...well, ...answers })
  renderScreen(<SystemHealth />, '/settings/system')
  return calls
}

const region = async (name: string) => within(await screen.findByRole('region', { name }))

describe('SystemHealth', () => {
  it('says where this server is reached, as a code and in words', async () => {
    show({})
    const card = await region('QR code of this server')
    const code = await card.findByRole('img', { name: 'QR code for the addresses of this server' })
    await waitFor(() => expect(code.querySelector('path')?.getAttribute('d')).toMatch(/^M/))
    expect(card.getByText('https://pay.acme.example')).toBeDefined()
    expect(card.getAllByText('https://api.acme.example')).toHaveLength(2)
  })

  it('shows no code of a server whose URL is not set', async () => {
    const unset = { code: null, frontendServer: '', backendServer: '', server: '', blockchainNetwork: 'sandbox' }
    show({ 'GET /system': () => unset })
    expect(await (await region('QR code of this server')).findByText(/^Set the URL of this server first/)).toBeDefined()
  })

  it('says in its own words why a network is not read, and what to know about one that is', async () => {
    const text = 'In another language.'
    const cause = { code: 'no_process', params: {}, text }
    const noticeCause = { code: 'finality_stalled', params: { height: 88, minutes: 7, fromUSD: null }, text }
    const networks = [
      blockchain({ reason: text, cause }),
      blockchain({ id: 1, code: 'ETH', name: 'Ethereum', notice: text, noticeCause }),
    ]
    show({ 'GET /blockchains': () => networks })
    const card = await region('Networks')
    expect(await card.findByText('No process reads this network right now.')).toBeDefined()
    expect(card.getByText(/^Nothing has become final above block 88 for 7 minutes\./)).toBeDefined()
    expect(card.queryByText(text)).toBeNull()
  })

  it('says that nothing needs anybody while all is well', async () => {
    show({})
    expect(await screen.findByRole('heading', { level: 1, name: 'System health' })).toBeDefined()
    expect(await (await region('Alarms')).findByText('Nothing needs you.')).toBeDefined()
    expect((await (await region('Books')).findByText(/Every account balances/)).textContent).toMatch(
      /^Every account balances\. Checked \d+\u00a0s.* ago\.$/,
    )
    const row = within(await screen.findByRole('row', { name: /Base/ }))
    expect(row.getByRole('link', { name: 'Base' }).getAttribute('href')).toBe('/settings/blockchains/BASE')
    expect(row.getAllByRole('cell').map(({ textContent }) => textContent)).toEqual(
      expect.arrayContaining([expect.stringContaining('Connected'), 'Block 1,204', 'Block 1,202', '2', '1 source']),
    )
    const work = await region('Background work')
    expect(await work.findByText('Reads Base')).toBeDefined()
    expect(work.getAllByText('Last run 3 s ago, 0 waiting.')).toHaveLength(2)
    expect((await region('Prices')).getByText('$3,021.55')).toBeDefined()
  })

  it('names every difference of the books, and where to look', async () => {
    show({
      'GET /ledger/check': () =>
        books({
          ok: false,
          broken: [{ rule: 'A payment has what its deposits sum to.', rows: 2, examples: ['payment 7'] }],
          debitsMinusCredits: [
            { currencyCode: 'USDC', blockchainCode: 'BASE', difference: '0.000001' },
            { currencyCode: 'ETH', blockchainCode: 'BASE', difference: '0' },
          ],
          chainDrift: [
            {
              blockchainCode: 'BASE',
              currencyCode: 'USDC',
              height: 1_204,
              ledger: '1049.5',
              chain: '1000.5',
              difference: '-49',
            },
          ],
          unchecked: [{ blockchainCode: 'ETH', reason: 'No node answered.' }],
        }),
    })
    const card = await region('Books')
    expect((await card.findByRole('alert')).textContent).toContain('The books don’t balance')
    const found = within(card.getByRole('list', { name: 'What is wrong' })).getAllByRole('listitem')
    expect(found.map(({ textContent }) => textContent?.replaceAll('\u00a0', ' '))).toEqual([
      'A payment has what its deposits sum to.2 rows break it, such as payment 7',
      'Debits and credits of USDC on Base differ.Debits minus credits: 0.000001 USDC',
      'Base holds 49 USDC less than the books say.At block 1,204: books 1049.5, chain 1000.5',
    ])
    expect(card.getByText('Not compared with Ethereum')).toBeDefined()
  })

  it('does not call old news well', async () => {
    show({ 'GET /ledger/check': () => books({ checkedAt: new Date(Date.now() - 3 * 3_600_000).toISOString() }) })
    expect(await (await region('Books')).findByText(/this check is older/)).toBeDefined()
  })

  it('shows alarms with what to do and the way there', async () => {
    const text = 'BASE: The reader is 84 blocks behind for 12 minutes. Payers wait: try a faster node.'
    const params = { blockchainCode: 'BASE', lagBlocks: 84, minutes: 12 }
    show({ 'GET /system/alarms': () => [{ id: 1, kind: 'chain_behind', subject: 'BASE', params, text, since: AT }] })
    const card = await region('Alarms')
    expect(await card.findByText(/^The reader of Base has been 84 blocks behind for 12 minutes/)).toBeDefined()
    expect(card.getByText('Network behind')).toBeDefined()
    expect(card.getByRole('link', { name: 'Open Base' }).getAttribute('href')).toBe('/settings/blockchains/BASE')
  })

  it('names what an alarm is about unless its words do', async () => {
    const alarm = { kind: 'endpoint_failing', since: AT, params: null, text: 'Nothing arrived there for 3 days.' }
    show({
      'GET /system/alarms': () => [
        { ...alarm, id: 1, subject: 'https://shop.example/hook' },
        { ...alarm, id: 2, kind: 'chain_behind', subject: 'BASE', text: 'BASE: The reader is behind.' },
      ],
    })
    const card = await region('Alarms')
    expect(await card.findByText('https://shop.example/hook')).toBeDefined()
    expect(card.queryByText('BASE')).toBeNull()
  })

  it('names currencies without a fresh price and guesses none', async () => {
    show({
      'GET /ticker': () => [price('USDC'), price('ETH', { price: null, stale: true }), price('POL', { stale: true })],
    })
    const card = await region('Prices')
    expect(await card.findByText(/^No fresh price for ETH and POL\. Customers cannot choose them/)).toBeDefined()
    expect(card.getByText('No price')).toBeDefined()
  })

  it('fails block by block and tries one again', async () => {
    let isDown = true
    show({
      'GET /ledger/check': () => (isDown ? refusal(503, 'SERVICE_UNAVAILABLE', 'Try again in a moment.') : books()),
    })
    const card = await region('Books')
    expect(await card.findByText('Books couldn’t be loaded')).toBeDefined()
    expect(await (await region('Alarms')).findByText('Nothing needs you.')).toBeDefined()
    isDown = false
    await userEvent.click(card.getByRole('button', { name: 'Try again' }))
    expect(await card.findByText(/Every account balances/)).toBeDefined()
  })

  it('asks for nothing the operator may not read', async () => {
    const calls = show({
      'GET /member/me': () => ({ ...me(), permissions: { install: ['system:read'], projects: {} } }),
    })
    expect(await (await region('Alarms')).findByText('Nothing needs you.')).toBeDefined()
    expect(screen.queryByRole('region', { name: 'Books' })).toBeNull()
    expect(calls.map(({ path }) => path)).not.toContain('/ledger/check')
    expect(calls.map(({ path }) => path)).not.toContain('/blockchains')
  })

  it('says what runs since when it was built, and how it is brought up to date', async () => {
    show({})
    const card = await region('Version')
    expect((await card.findByText('Build')).nextElementSibling?.textContent).toBe('27a5db4e0c11')
    expect(card.getByText('Built').nextElementSibling?.textContent).toMatch(/^20 Nov 2026, 05:10/)
    const lines = (name: string) => card.getByRole('group', { name }).textContent?.split('\n')
    expect(lines('command that shows what is new')).toEqual([expect.stringMatching(/^git fetch .* CHANGELOG\.md$/)])
    expect(lines('update commands')).toEqual([
      'npm run backup -- --to /mnt/backups',
      '# stop every process of Kassa here',
      'git pull --ff-only',
      'npm start',
    ])
    expect(card.getByText(/^Kassa does not look for newer versions itself/)).toBeDefined()
  })

  it('gives one line to send with a question', async () => {
    show({})
    const line = await (await region('Version')).findByRole('group', { name: 'support line' })
    await waitFor(() =>
      expect(line.textContent).toMatch(
        /^Kassa 0\.1\.0 \(27a5db4e0c11\) · mainnet · health ok · database ok · books balance at \S+Z, head 9f3c\S+ · alarms none · backup none · BASE 1202\/1204 · base-listener RUNNING/,
      ),
    )
  })
})
