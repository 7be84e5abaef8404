/** The screens on a bad day: what a sandbox never answers is put into its answers on their way to the page. */
import { API, type Changes, each, inside, REFUSED, type Row } from '../answers.ts'
import type { Screen } from '../camera.ts'
import { press } from '../hand.ts'
import type { Seed } from '../seed.ts'

const AT = new Date(Date.now() - 12_000).toISOString()

const DAY_MS = 86_400_000
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString()

/** An install that was restored yesterday from an old backup without its master key, and that is not on the sandbox. */
const RESTORED = {
  ...{ kind: 'restored', takenAt: daysAgo(9.4), recordedAt: daysAgo(1), rows: 48_211, bytes: 3_412_000_000 },
  ...{ hasMasterKey: false, version: '0.1.0', file: 'missing' },
}
const BACKUP_DUE: Changes = {
  [`${API}/system/backups`]: { isDue: true, remindAfterDays: 7, last: RESTORED, restored: RESTORED },
  [`${API}/configuration/default`]: (row: Row) => ({ ...row, blockchainNetwork: 'testnet' }),
  [`${API}/project/*/attention`]: (row: Row) => ({
    ...row,
    backups: { isRead: true, count: 1, list: '/system/backups', lastTakenAt: RESTORED.takenAt },
  }),
}

/** Books that do not balance, networks that stand still, nodes that disagree, and a server that does not answer. */
export function installWithAlarms(): readonly Screen[] {
  const health = '/settings/system'
  return [
    {
      name: 'system-health-broken',
      path: health,
      shows: 'The books don’t balance',
      alters: { [`${API}/ledger/check`]: brokenBooks, [`${API}/system/alarms`]: () => ALARMS, ...NETWORKS },
    },
    { name: 'system-health-backup-due', path: health, shows: 'Last backup 9 days ago', alters: BACKUP_DUE },
    {
      name: 'system-health-unreachable',
      path: health,
      shows: 'Books couldn’t be loaded',
      alters: { [`${API}/ledger/check`]: REFUSED, [`${API}/system/alarms`]: REFUSED, [`${API}/ticker`]: REFUSED },
    },
    { name: 'blockchains-troubled', path: '/settings/blockchains', shows: 'Stopped', alters: NETWORKS },
    { name: 'blockchain-halted', path: '/settings/blockchains/BASE', shows: 'Other branch', alters: NETWORKS },
  ]
}

/** Endpoints that fail, that were removed, and none. */
export function failingEndpoints(): readonly Screen[] {
  const endpoints = `${API}/external-platform/*/webhook`
  const changed = (more: Row): Changes => ({ [endpoints]: each(() => true, more) })
  const path = '/developers?tabId=webhooks'
  return [
    { name: 'webhooks-none', path, shows: 'No endpoints', alters: { [endpoints]: () => [] } },
    { name: 'webhooks-unreachable', path, shows: 'Endpoints couldn’t be loaded', alters: { [endpoints]: REFUSED } },
    {
      name: 'endpoint-failing',
      path,
      shows: 'Nothing has arrived here for days',
      alters: changed({ health: 'failing', lastResponseCode: 503 }),
    },
    {
      name: 'endpoint-gone',
      path: `${path}&open=1&view=settings`,
      shows: 'returned 410 Gone',
      alters: changed({ status: 'inactive', lastResponseCode: 410 }),
    },
  ]
}

/** Money that is held because something about it did not fit. */
export function heldScreens({ shop: { project }, states }: Seed): readonly Screen[] {
  const list = `/project/${project}/payments/allPayments`
  const held = { status: 'quarantined', reason: 'NODE_DISAGREEMENT' }
  const deposits = { [`${API}/external-platform/*/missed-deposit*`]: inside('data', held) }
  const payment = {
    [`${API}/external-platform/*/payment/${states.unmatched}`]: (answer: Row) =>
      released(inside('unmatchedDeposits', held)(inside('transfers', held)(answer))),
  }
  return [
    { name: 'unmatched-held', path: `${list}?view=unmatched`, shows: 'Release…', alters: deposits },
    {
      name: 'release',
      path: `${list}?view=unmatched`,
      shows: 'Look the transaction up',
      isOverlay: true,
      alters: deposits,
      act: (page) => press(page, 'Release…'),
    },
    {
      name: 'drawer-quarantined',
      path: `${list}?open=${states.unmatched}`,
      shows: 'is on hold',
      isOverlay: true,
      alters: payment,
    },
  ]
}

/** Tokens that Kassa does not list: one that says what it is, and one that looks like a listed currency. */
export function unlistedScreens({ shop: { project }, states }: Seed): readonly Screen[] {
  const list = `/project/${project}/payments/allPayments`
  const notice = {
    ...{ contract: '0x6B175474E89094C44Da98b954EedeAC495271d0F', symbol: 'DAI', isLookAlike: false, amount: '12.5' },
    ...{ blockchainCode: 'BASE', txHash: `0x${'ab'.repeat(32)}`, minedAt: new Date().toISOString() },
    explorerTransaction: 'https://explorer.example/tx/1',
  }
  const fake = { ...notice, symbol: null, isLookAlike: true, amount: '49', txHash: `0x${'cd'.repeat(32)}` }
  const place = { toAddress: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', memberID: 1, externalPlatformID: 1 }
  const rows = [notice, fake].map((one, at) => ({ id: at + 1, ...one, ...place }))
  return [
    {
      name: 'unmatched-unlisted',
      path: `${list}?view=unmatched`,
      shows: 'Tokens that are not listed',
      alters: { [`${API}/external-platform/*/unlisted-transfer*`]: (answer: Row) => ({ ...answer, data: rows }) },
    },
    {
      name: 'drawer-unlisted',
      path: `${list}?open=${states.paid}`,
      shows: /does not count/,
      isOverlay: true,
      alters: {
        [`${API}/external-platform/*/payment/${states.paid}`]: (answer: Row) => ({
          ...answer,
          unlisted: [notice, fake],
        }),
      },
    },
  ]
}

/** What may be done with a deposit on hold is another thing than with one that is unmatched. */
function released(answer: Row): Row {
  const offers = answer['offers'] as readonly Row[]
  const offer = (one: Row) => (one['action'] === 'apply_unapplied' ? { ...one, action: 'release_quarantine' } : one)
  return { ...answer, offers: offers.map(offer) }
}

const NETWORKS: Changes = {
  [`${API}/blockchains*`]: (rows: readonly (Row & { rpcNodes: readonly Row[] })[]) =>
    rows.map((row) => (row['code'] === 'BASE' ? halted(row) : row['code'] === 'ETH' ? { ...row, lagBlocks: 84 } : row)),
}

function halted(row: Row & { rpcNodes: readonly Row[] }): Row {
  const [node] = row.rpcNodes
  const second = {
    ...node,
    id: 99,
    url: 'https://base-mainnet.example-provider.com/v2/•••',
    isPreferred: false,
    priority: 1,
    health: {
      ...(node?.['health'] as Row),
      score: 12,
      state: 'forked',
      cause: null,
      reason: 'It has another block 1,204 than the others.',
      consecutiveFails: 7,
    },
  }
  return {
    ...row,
    sourceCount: 2,
    reason: HALT.text,
    cause: HALT,
    rpcNodes: [...row.rpcNodes, second],
  }
}

const HALT = {
  code: 'halted',
  params: { halt: { case: 'too_deep', limit: 64, height: 102 } },
  text: 'The node replaced more than 64 blocks below 102. Compare it with another source.',
}

const ALARMS = [
  {
    id: 1,
    kind: 'ledger_imbalance',
    subject: 'books',
    params: { case: 'sides' },
    text: 'The books do not balance: The chain holds other amounts than the books. Run npm run check-books to see where.',
    since: AT,
  },
  {
    id: 2,
    kind: 'chain_halted',
    subject: 'BASE',
    params: { blockchainCode: 'BASE', height: 102, halt: { case: 'too_deep', limit: 64, height: 102 } },
    text: 'Reading BASE stopped at block 102: The node replaced more than 64 blocks below 102. Compare it with another source. Nothing was changed. Compare the nodes, then resume it: npm run resume-chain -- --chain BASE, with --to and the newest block that both have when ours is the wrong one.',
    since: AT,
  },
  {
    id: 3,
    kind: 'endpoint_failing',
    subject: 'https://shop.example/kassa/webhook',
    params: { endpoint: 'https://shop.example/kassa/webhook', projectName: 'Acme', minutes: 15 },
    text: 'https://shop.example/kassa/webhook of Acme has accepted nothing for 15 minutes or longer: the shop is not notified. Correct the receiver. What waits is tried again for days, and can be sent again at once.',
    since: AT,
  },
]

function brokenBooks(): unknown {
  return {
    ok: false,
    checkedAt: AT,
    headHash: '9f3c27d1f3b0c6e7a8d9e0f1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3a01b',
    debitsMinusCredits: [{ blockchainCode: 'BASE', currencyCode: 'USDC', difference: '0' }],
    chainDrift: [
      {
        blockchainCode: 'BASE',
        currencyCode: 'USDC',
        height: 1204,
        ledger: '1049.5',
        chain: '1000.5',
        difference: '-49',
      },
    ],
    broken: [{ rule: 'A deposit that counts has one entry that says so.', rows: 2, examples: ['deposit 31'] }],
    unchecked: [{ blockchainCode: 'ETH', reason: 'No node answered.' }],
  }
}
