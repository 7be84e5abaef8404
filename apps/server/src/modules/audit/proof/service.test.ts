import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { csvLine } from '../../../http/csv.ts'
import { proveRows } from './service.ts'
import { type FileRow, readRows } from './read-file.ts'
import { cellsOf, HASHED_COLUMNS, NO_HASH, sealsOf } from './entry-hash.ts'
import type { AuditEntryRow } from './tables.ts'

/** Texts that a spreadsheet would take for a formula, that need quotes, and that span lines. */
const text = fc.oneof(
  fc.string(),
  fc.constantFrom('=1+1', "'=x", ';=x', 'a,b', '"', 'a\r\nb', '\n-1', '-1', '{"after":{"name":"=A1"}}', '＝x', 'ü€'),
)
const entry = (id: number, path: string, changes: string | null): AuditEntryRow => ({
  id: BigInt(id),
  at: new Date(1_760_000_000_000 + id),
  category: 'access',
  event: 'changeMe',
  action: 'WRITE',
  method: 'PATCH',
  path,
  status: 'SUCCESS',
  status_code: 200,
  error_code: null,
  count: 1,
  operator_id: 1,
  operator_email: 'owner@shop.example',
  role: 'root',
  key_id: null,
  session_id: 7,
  project_id: null,
  ip: '127.0.0.1',
  user_agent: path,
  referer: '',
  request_id: 'abc',
  changes,
})
const NAMES = [...HASHED_COLUMNS, 'prevHash', 'hash', 'remaining']

/** The file that the server gives of these entries, every id a gap of two. */
function fileOf(entries: readonly AuditEntryRow[], format: 'csv' | 'jsonl'): string[] {
  const seals = sealsOf(entries, NO_HASH)
  const rows = entries.map((row, at) => [
    ...cellsOf(row),
    seals[at - 1]?.hash ?? NO_HASH,
    seals[at]?.hash,
    entries.length - 1 - at,
  ])
  return format === 'csv'
    ? [csvLine(NAMES), ...rows.map((cells) => csvLine(cells))]
    : rows.map((cells) => `${JSON.stringify(Object.fromEntries(NAMES.map((name, at) => [name, cells[at]])))}\n`)
}

async function* pieces(whole: string, size: number) {
  for (let at = 0; at < whole.length; at += size) yield whole.slice(at, at + size)
}
const prove = (lines: readonly string[], options = {}) => proveRows(readRows(pieces(lines.join(''), 97)), options)
const problems = async (lines: readonly string[], options = {}) =>
  (await prove(lines, options)).findings.map(({ entry: id, problem }) => `${id} ${problem}`)
const ten = Array.from({ length: 10 }, (_, at) =>
  entry(2 * at + 1, `/member/${at}`, at % 3 === 0 ? '{"after":{}}' : null),
)

describe.each(['csv', 'jsonl'] as const)('audit.proveRows: %s', (format) => {
  const lines = fileOf(ten, format)
  const at = (n: number) => n + (format === 'csv' ? 1 : 0)
  const without = (n: number) => lines.filter((_, index) => index !== at(n))

  it('proves what the server gives, whatever its texts are', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(text, fc.option(text)), { minLength: 1, maxLength: 8 }), async (texts) => {
        const rows = texts.map(([path, changes], index) => entry(index + 1, path, changes))
        expect(await prove(fileOf(rows, format))).toMatchObject({
          rows: rows.length,
          findings: [],
          isFromBeginning: true,
        })
      }),
      { numRuns: 50 },
    )
  })

  it('names the row of every changed byte', async () => {
    const line = lines[at(4)] ?? ''
    for (let index = 0; index < line.length - 1; index += 1) {
      const other = line[index] === '7' ? '8' : '7'
      const changed = [...lines]
      changed[at(4)] = line.slice(0, index) + other + line.slice(index + 1)
      const proof = await prove(changed)
      expect(proof.findings.length, `byte ${index} of ${line}`).toBeGreaterThan(0)
      expect(proof.findings[0]?.line).toBeGreaterThanOrEqual(at(4) + 1)
      expect(proof.findings[0]?.line).toBeLessThanOrEqual(at(5) + 1)
    }
  })

  it('names what is missing, in another order, twice or added', async () => {
    expect(await problems(without(5))).toEqual(['13 missing before'])
    expect(await problems(lines.slice(0, -1))).toEqual(['17 missing after'])
    const swapped = [...lines]
    ;[swapped[at(2)], swapped[at(3)]] = [lines[at(3)] ?? '', lines[at(2)] ?? '']
    expect(await problems(swapped)).toEqual(['7 missing before', '5 not in its place', '9 missing before'])
    expect(await problems([...lines.slice(0, at(3)), lines[at(2)] ?? '', ...lines.slice(at(3))])).toContain(
      '5 not in its place',
    )
    const [foreign = ''] = fileOf([entry(6, '/added', null)], format).slice(-1)
    expect(await problems([...lines.slice(0, at(3)), foreign, ...lines.slice(at(3))])).toContain('6 missing before')
  })

  it('takes an excerpt only when it is called one, and finds a row that is missing there too', async () => {
    const rows: FileRow[] = []
    for await (const row of readRows(pieces(lines.join(''), 1_000))) rows.push(row)
    const chosen = rows.filter((_, index) => index % 2 === 0)
    const excerpt = chosen.map((row, index) => ({
      ...row,
      values: { ...row.values, remaining: chosen.length - 1 - index },
    }))
    expect((await proveRows(excerpt, { isExcerpt: true })).findings).toEqual([])
    expect((await proveRows(excerpt)).findings).not.toEqual([])
    expect(
      (
        await proveRows(
          excerpt.filter((_, index) => index !== 2),
          { isExcerpt: true },
        )
      ).findings,
    ).toHaveLength(1)
  })

  it('looks for a hash that was noted earlier', async () => {
    const head = sealsOf(ten, NO_HASH)[3]?.hash
    expect((await prove(lines, { noted: head })).hasNoted).toBe(true)
    // Somebody changed an entry and computed every hash after it again: only a hash from before tells.
    const forged = fileOf(
      ten.map((row, index) => (index === 2 ? { ...row, path: '/forged' } : row)),
      format,
    )
    expect(await prove(forged, { noted: head })).toMatchObject({ findings: [], hasNoted: false })
  })
})
