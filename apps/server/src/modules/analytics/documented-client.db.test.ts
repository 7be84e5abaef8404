import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type TestApp, testApp } from '../../testing/app.ts'
import { ASSET, dollars, openCashier } from '../../testing/cashier.ts'
import { fakeChain } from '../../testing/fake-chain.ts'
import { openShop } from '../../testing/shop.ts'

/**
 * A client of the graphs that knows docs/design/api.md 8 and nothing else of Kassa: what it asks and draws is written without
 * the contract. What it cannot draw is an answer that the page does not describe.
 */

/** What a client puts on the screen. */
type Mark =
  | {
      readonly kind: 'number'
      readonly label: string
      readonly text: string
      readonly change: string
      readonly value: string
    }
  | {
      readonly kind: 'bar'
      readonly at: string
      readonly tick: string
      readonly hint: string
      readonly series: string
      readonly height: string
      readonly colour: string
    }
  | {
      readonly kind: 'slice'
      readonly label: string
      readonly share: string
      readonly colour: string
      readonly icon: string
      readonly text: string
    }
  | { readonly kind: 'fact'; readonly label: string; readonly value: string; readonly description: string }
  | { readonly kind: 'row'; readonly cells: readonly string[] }

type Drawing = {
  readonly id: number
  readonly type: string
  readonly head: readonly string[]
  readonly marks: readonly Mark[]
}

type Answer = Readonly<Record<string, unknown>>

/**
 * The marks of one answer of N2.
 *
 * @throws with the place where the answer differs from the page.
 */
function drawGraph(answer: unknown): Drawing {
  const graph = object(answer, 'answer')
  const type = text(graph['type'], 'type')
  const draw = DRAWN_AS[type]
  if (draw === undefined) throw new Error(`type ${type} is not on the page`)
  const id = graph['id']
  if (typeof id !== 'number') throw new Error('id is no number')
  return { id, type, ...draw(graph) }
}

const DRAWN_AS: Readonly<Record<string, (graph: Answer) => Pick<Drawing, 'head' | 'marks'>>> = {
  number_graph: (graph) => ({ head: noAttributes(graph), marks: rows(graph).map(numberMark) }),
  bar_graph: (graph) => ({ head: axes(graph), marks: rows(graph).flatMap(barMarks) }),
  pie_with_info_graph: (graph) => ({ head: noAttributes(graph), marks: rows(graph).map(sliceMark) }),
  info_graph: (graph) => ({ head: noAttributes(graph), marks: rows(graph).map(factMark) }),
  table_graph: tableRows,
}

function numberMark(row: Answer): Mark {
  return {
    kind: 'number',
    label: text(row['label'], 'label'),
    text: matching(row['text'], /^(<\$0\.01|-?\$?[\d,]+(\.\d+)?%?|N\/A)$/, 'text'),
    change: matching(row['subtext'], /^(|N\/A|[+-][\d,.]+%.*|.+)$/, 'subtext'),
    value: decimal(row['value'], 'value'),
  }
}

/** A series is a key with a colour beside it: the page names no series in advance. */
function barMarks(row: Answer): Mark[] {
  const bucket = {
    at: moment(row['at'], 'at'),
    tick: text(row['Timestamp'], 'Timestamp'),
    hint: text(row['Extras'], 'Extras'),
  }
  moment(row['until'], 'until')
  const series = Object.keys(row).filter((key) => `${key}Color` in row)
  return series.map((name) => ({
    kind: 'bar',
    ...bucket,
    series: name,
    height: decimal(row[name], name),
    colour: colour(row[`${name}Color`]),
  }))
}

function sliceMark(row: Answer): Mark {
  text(row['id'], 'id')
  text(row['description'], 'description')
  return {
    kind: 'slice',
    label: text(row['label'], 'label'),
    share: decimal(row['value'], 'value'),
    colour: colour(row['color']),
    icon: text(row['icon'], 'icon'),
    text: matching(row['display'], /^(<\$0\.01|\$[\d,]+(\.\d+)?)$/, 'display'),
  }
}

function factMark(row: Answer): Mark {
  return {
    kind: 'fact',
    label: text(row['label'], 'label'),
    value: text(row['value'], 'value'),
    description: text(row['description'], 'description'),
  }
}

const CELLS = new Set(['profile', 'date', 'icon_text', 'text', 'href'])

function tableRows(graph: Answer): Pick<Drawing, 'head' | 'marks'> {
  const columns = list(graph['attributes'], 'attributes').map((column) => {
    const { cell_type: cellType, column_name: name } = object(column, 'column')
    if (!CELLS.has(text(cellType, 'cell_type'))) throw new Error(`cell_type ${String(cellType)} is not on the page`)
    return { cellType: text(cellType, 'cell_type'), name: text(name, 'column_name') }
  })
  const marks = list(graph['data'], 'data').map((row): Mark => {
    const cells = list(row, 'row').map((cell) => cellText(object(cell, 'cell')))
    if (cells.length !== columns.length) throw new Error('a row has not as many cells as there are columns')
    return { kind: 'row', cells }
  })
  return { head: columns.map(({ name }) => name), marks }
}

/** A cell is known by its keys: {image,tooltip} · {value} · {name,description} · {icon,text,subtext} · {text,subtext} · {href,text,ellipsis} · {text}. */
function cellText(cell: Answer): string {
  if ('image' in cell) return text(cell['tooltip'], 'tooltip')
  if ('name' in cell) return `${text(cell['name'], 'name')} ${text(cell['description'], 'description')}`.trim()
  if ('href' in cell) {
    if (typeof cell['ellipsis'] !== 'boolean') throw new Error('ellipsis is no boolean')
    return `${text(cell['text'], 'text')} → ${text(cell['href'], 'href')}`
  }
  if ('icon' in cell) text(cell['icon'], 'icon')
  if ('text' in cell) {
    const below = 'subtext' in cell ? text(cell['subtext'], 'subtext') : ''
    return `${text(cell['text'], 'text')} ${below}`.trim()
  }
  return text(cell['value'], 'value')
}

function axes(graph: Answer): string[] {
  const { axisBottom, axisLeft } = object(graph['attributes'], 'attributes')
  return [axisBottom, axisLeft].map((axis) => JSON.stringify(axis))
}

function noAttributes(graph: Answer): string[] {
  if (graph['attributes'] !== null) throw new Error('attributes is not null')
  return []
}

function rows(graph: Answer): Answer[] {
  return list(graph['data'], 'data').map((row) => object(row, 'row'))
}

function object(value: unknown, place: string): Answer {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error(`${place} is no object`)
  return value as Answer
}

function list(value: unknown, place: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new Error(`${place} is no list`)
  return value
}

function text(value: unknown, place: string): string {
  if (typeof value !== 'string') throw new Error(`${place} is no text`)
  return value
}

function matching(value: unknown, pattern: RegExp, place: string): string {
  const found = text(value, place)
  if (!pattern.test(found)) throw new Error(`${place} reads ${found}`)
  return found
}

const decimal = (value: unknown, place: string) => matching(value, /^-?\d+(\.\d+)?$/, place)
const moment = (value: unknown, place: string) => matching(value, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/, place)
const colour = (value: unknown) => matching(value, /^#[0-9a-fA-F]{6}$/, 'colour')

let app: TestApp
let key: string
let project: string

beforeAll(async () => {
  app = await testApp({ now: new Date('2026-04-06T09:30:00.000Z') })
  key = await app.signUp()
  const shop = await openShop(app, key)
  project = shop.p
  const cashier = openCashier(app, shop)
  const chain = await fakeChain(app.ctx, 1)
  for (const [customer, currency, assetId, units] of [
    ['ann', 'USDC', ASSET.USDC_ON_ETH, dollars(100)],
    ['bob', 'ETH', ASSET.ETH, 10n ** 17n],
    ['ann', 'USDC', ASSET.USDC_ON_ETH, dollars(100)],
  ] as const) {
    const { to } = await cashier.newPayment({ customer, currency })
    await chain.mine([{ to, assetId, units }])
    await chain.mineAll([[], [], []])
  }
})
afterAll(() => app.stop())

async function get(path: string): Promise<unknown> {
  const headers = { 'api-key': key, host: 'localhost:8080' }
  const answer = await app.http.inject({ url: `/api/v1/external-platform/${project}/analytics/${path}`, headers })
  expect([path, answer.statusCode]).toEqual([path, 200])
  return JSON.parse(answer.payload)
}

/** Every graph that N1 lists, under the lower-cased names of its group and its own, as existing clients look for it. */
async function graphs(): Promise<ReadonlyMap<string, string>> {
  const groups = list(await get('groups'), 'groups').map((group) => object(group, 'group'))
  return new Map(
    groups.flatMap(({ groupID, analyticsGroup }) => {
      const { name: group, graphs: own } = object(analyticsGroup, 'analyticsGroup')
      return list(own, 'graphs').map((one) => {
        const { id, name } = object(one, 'graph')
        const path = `groups/${String(groupID)}/graph/${String(id)}/data`
        return [`${text(group, 'name')}/${text(name, 'name')}`.toLowerCase(), path] as const
      })
    }),
  )
}

/** How many marks of which kind stand for a graph. */
function countOf({ type, marks }: Drawing): string {
  const kinds = [...new Set(marks.map(({ kind }) => kind))]
  return `${type}: ${marks.length} ${kinds.join(' and ')}`
}

describe('a client written from api.md 8', () => {
  it('finds all graphs by their names and draws each of them', async () => {
    const drawn = new Map<string, Drawing>()
    for (const [name, path] of await graphs()) {
      drawn.set(name, drawGraph(await get(`${path}?date_filter=last_7_days&timezone=Europe/Berlin&compare=previous`)))
    }
    expect([...drawn].map(([name, drawing]) => `${name} · ${countOf(drawing)}`)).toEqual([
      'numbers/total payments · number_graph: 1 number',
      'numbers/payments in last 30 days · number_graph: 1 number',
      'numbers/total paying users · number_graph: 1 number',
      'numbers/paying users in last 30 days · number_graph: 1 number',
      'numbers/total users requested payments · number_graph: 1 number',
      'numbers/user attempted in last 30 days · number_graph: 1 number',
      'recent transactions/recent transactions · table_graph: 3 row',
      'transaction summary/payments in usd · bar_graph: 14 bar',
      'transaction summary/number of transactions · bar_graph: 14 bar',
      'deposit distribution/payment distributions in usd · pie_with_info_graph: 2 slice',
      'paying user summary/paying users · bar_graph: 14 bar',
      'paying user summary/total paying users · info_graph: 3 fact',
      'operations/conversion · number_graph: 1 number',
      'operations/time to finality · info_graph: 1 fact',
      'operations/unswept value · number_graph: 1 number',
    ])
    const marksOf = <Kind extends Mark['kind']>(name: string, kind: Kind) =>
      (drawn.get(name)?.marks ?? []).filter((mark): mark is Extract<Mark, { kind: Kind }> => mark.kind === kind)
    const cents = (values: readonly string[]) => values.reduce((sum, value) => sum + Math.round(Number(value) * 100), 0)
    const total = cents(marksOf('numbers/total payments', 'number').map(({ value }) => value))
    expect(cents(marksOf('transaction summary/payments in usd', 'bar').map(({ height }) => height))).toBe(total)
    expect(cents(marksOf('deposit distribution/payment distributions in usd', 'slice').map(({ share }) => share))).toBe(
      total,
    )
    expect(drawn.get('recent transactions/recent transactions')?.head).toEqual([
      '',
      'Deposit Date',
      'Customer',
      'Currency',
      'Amount',
      'To Address',
      'Transaction',
      'Status',
    ])
    const icons = marksOf('deposit distribution/payment distributions in usd', 'slice').map(
      ({ icon }) => new URL(icon).pathname,
    )
    for (const icon of icons) {
      const picture = await app.http.inject({ url: icon, headers: { host: 'localhost:8080' } })
      expect([icon, picture.statusCode, picture.headers['content-type']]).toEqual([icon, 200, 'image/png'])
    }
  })
})
