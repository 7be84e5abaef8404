import { ApiError } from '@kassa/contract/kit/api-error.ts'
import { describe, expect, it } from 'vitest'

import { readFilters } from './filter-rules.ts'

const read = (input: Record<string, unknown>, visible: readonly number[] | 'every' = 'every') =>
  readFilters(input, visible)

/** The filter that is refused. */
function refused(input: Record<string, unknown>): string | null {
  try {
    read(input)
    return null
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'FILTER_INVALID') throw error
    return Object.keys(error.fields ?? {})[0] ?? ''
  }
}

describe('analytics.readFilters (8.2)', () => {
  it('has defaults', () => {
    expect(read({})).toMatchObject({
      date: { preset: 'last_30_days' },
      currencies: [],
      groupBy: 'currency_code',
      codes: [],
      limit: 10,
      projectIds: 'every',
      isCompared: false,
    })
    expect(read({}).zone.name).toBe('UTC')
  })

  it('reads aliases, lists and objects however they were sent', () => {
    expect(read({ date_filter: 'today' }).date).toEqual({ preset: 'today' })
    for (const sent of [['usdc', 'ETH'], 'USDC,ETH', '["USDC","ETH"]']) {
      expect(read({ in_query_currency_filter: sent }).currencies).toEqual(['USDC', 'ETH'])
      expect(read({ currency_codes: sent }).currencies).toEqual(['USDC', 'ETH'])
    }
    for (const sent of [
      { code: 'blockchain_code', code_filters: ['tron'] },
      '{"code":"blockchain_code","codeFilters":["TRX"]}',
    ]) {
      expect(read({ group_by_network_currency_filter: sent })).toMatchObject({
        groupBy: 'blockchain_code',
        codes: ['TRX'],
      })
    }
    expect(read({ group_by_only_network_currency_filter: 'blockchain_code' }).groupBy).toBe('blockchain_code')
    expect([read({ limit: '100' }).limit, read({ limit: 1 }).limit]).toEqual([100, 1])
    expect(read({ in_query_currency_filter: '' }).currencies).toEqual([])
  })

  it('reads custom spans in the zone, its last day included', () => {
    const zone = { timezone: 'Europe/Berlin', analytics_date_filter: 'custom' }
    const span = {
      preset: 'custom',
      span: { from: new Date('2026-03-28T23:00:00Z'), until: new Date('2026-03-30T22:00:00Z') },
    }
    const days = { start_date: '2026-03-29', end_date: '2026-03-30' }
    expect(read({ ...zone, ...days }).date).toEqual(span)
    expect(read({ ...zone, custom: days }).date).toEqual(span)
    expect(read({ ...zone, custom: JSON.stringify(days) }).date).toEqual(span)
    expect(read({ ...zone, custom_start_date: '2026-03-29', custom_end_date: '2026-03-30T23:59:59' }).date).toEqual(
      span,
    )
    const moments = { start_date: '2026-03-29T10:07:00Z', end_date: '2026-03-29T10:08:00.500Z' }
    expect(read({ ...zone, ...moments }).date).toMatchObject({ span: { until: new Date('2026-03-29T10:08:00.501Z') } })
  })

  it('allows five years, 29 February included, and not a day more', () => {
    const custom = (start_date: string, end_date: string) => refused({ date_filter: 'custom', start_date, end_date })
    expect(custom('2021-01-01', '2026-01-01')).toBeNull()
    expect(custom('2024-02-29', '2029-03-01')).toBeNull()
    expect(custom('2021-01-01', '2026-01-02')).toBe('end_date')
    expect(custom('2020-01-01', '2026-01-01')).toBe('end_date')
  })

  it('narrows to the projects the caller may see', () => {
    expect(read({ externalPlatformIds: ['7', 9] }, [7, 8]).projectIds).toEqual([7])
    expect(read({ externalPlatformIds: '9,7' }).projectIds).toEqual([9, 7])
    expect(read({ externalPlatformIds: [99] }, [7]).projectIds).toEqual([])
  })

  it('refuses by its name what is unknown, ill-formed or said twice', () => {
    const custom = { analytics_date_filter: 'custom' }
    const cases: readonly (readonly [Record<string, unknown>, string])[] = [
      [{ colour: 'red' }, 'colour'],
      [{ analytics_date_filter: 'last_8_days' }, 'analytics_date_filter'],
      [{ analytics_date_filter: ['today', 'today'] }, 'analytics_date_filter'],
      [{ analytics_date_filter: '' }, 'analytics_date_filter'],
      [{ analytics_date_filter: 'today', date_filter: 'today' }, 'date_filter'],
      [custom, 'custom'],
      [{ start_date: '2026-01-01', end_date: '2026-01-02' }, 'custom'],
      [{ ...custom, start_date: '2026-01-02', end_date: '2026-01-01' }, 'end_date'],
      [{ ...custom, start_date: '2026-02-29', end_date: '2026-03-01' }, 'start_date'],
      [{ ...custom, start_date: '2026-01-01' }, 'end_date'],
      [{ ...custom, start_date: '2026-01-01', custom_start_date: '2026-01-01' }, 'custom_start_date'],
      [{ ...custom, custom: 'yesterday' }, 'custom'],
      [{ ...custom, custom: { start_date: '2026-01-01', end_date: '2026-01-02', zone: 'UTC' } }, 'custom'],
      [{ in_query_currency_filter: ['DOGE'] }, 'in_query_currency_filter'],
      [{ in_query_currency_filter: { code: 'USDC' } }, 'in_query_currency_filter'],
      [{ in_query_currency_filter: '[broken' }, 'in_query_currency_filter'],
      [{ in_query_currency_filter: ['USDC'], currency_codes: ['USDC'] }, 'currency_codes'],
      [{ group_by_network_currency_filter: { code: 'colour' } }, 'group_by_network_currency_filter'],
      [
        { group_by_network_currency_filter: { code: 'currency_code', code_filters: ['BASE'] } },
        'group_by_network_currency_filter',
      ],
      [
        { group_by_only_network_currency_filter: { code: 'currency_code', code_filters: [] } },
        'group_by_only_network_currency_filter',
      ],
      [
        { group_by_network_currency_filter: 'currency_code', group_by_only_network_currency_filter: 'currency_code' },
        'group_by_only_network_currency_filter',
      ],
      [{ limit: 0 }, 'limit'],
      [{ limit: 101 }, 'limit'],
      [{ limit: 'ten' }, 'limit'],
      [{ limit: 1.5 }, 'limit'],
      [{ timezone: 'Mars/Base' }, 'timezone'],
      [{ timezone: 7 }, 'timezone'],
      [{ compare: 'next' }, 'compare'],
      [{ externalPlatformIds: ['mine'] }, 'externalPlatformIds'],
    ]
    for (const [input, filter] of cases) expect([input, refused(input)]).toEqual([input, filter])
  })
})
