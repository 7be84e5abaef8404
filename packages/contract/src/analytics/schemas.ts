/** What Kassa answers about analytics (api.md 8.1, 8.5). */
import * as z from 'zod/mini'

import { dec, id, int, ts, uuid } from '../kit/codecs.ts'
import { GRAPH_TYPES } from './groups.ts'

const text = z.string()
/** JSON, as text. */
const json = z.string()

/** The filter of a group, with its value when nothing is chosen. */
export const GroupFilter = z.object({
  id,
  name: text,
  type: text,
  /** What the operator chose, else the default, as JSON text. */
  value: json,
  /** `[{label, value}]`; for 2 and 4 `value` is `{code}`. */
  options: json,
  /** Addresses of icons, by code. */
  iconMappings: z.record(text, text),
})

export const GroupGraph = z.object({
  id,
  groupID: id,
  name: text,
  description: text,
  graphType: z.enum(GRAPH_TYPES),
  ColorMappings: json,
  attributes: json,
  active: z.boolean(),
  sequence: int,
  analyticsGroup: z.object({}),
})

export const CustomFilter = z.object({
  id,
  /** The project of the path, or `all`. */
  ExternalPlatformIDStr: text,
  userGroupID: id,
  filterID: id,
  value: json,
})

/** A group of graphs as one operator arranged it; a project's API key reads the default arrangement. */
export const UserGroup = z.object({
  id,
  createdAt: ts,
  updatedAt: ts,
  /** 0 for a key. */
  memberID: int,
  groupID: id,
  visible: z.boolean(),
  customFilters: z.array(CustomFilter),
  analyticsGroup: z.object({
    id,
    name: text,
    description: text,
    isDefault: z.boolean(),
    filters: z.array(GroupFilter),
    graphs: z.array(GroupGraph),
  }),
  category: z.literal('payment'),
  sequence: int,
})

export type UserGroup = z.output<typeof UserGroup>

export const BUCKETS = ['hour', 'day', 'week', 'month'] as const

export type Bucket = (typeof BUCKETS)[number]

/** The number as text for people (`$1,234.56`, `12`, `61.2%`, `N/A`) and exactly. */
export const NumberPoint = z.object({ label: text, text, subtext: text, value: dec })

/**
 * One bar: `Timestamp` (`Apr 06`) and `Extras` (`Monday`) as text in the filter's time zone, `at` its beginning and `until` its
 * end, which is excluded; for each series its amount and, under `<series>Color`, its colour.
 */
export const BarPoint = z.catchall(z.object({ Timestamp: text, Extras: text, at: ts, until: ts }), text)

export const PiePart = z.object({
  /** The code of the currency or network. */
  id: text,
  label: text,
  value: dec,
  color: text,
  icon: text,
  display: text,
  /** Its share, as `61.2%`. */
  description: text,
})

/** Time to finality has its numbers beside the text. */
export const InfoLine = z.object({
  label: text,
  value: text,
  description: text,
  medianSeconds: z.optional(int),
  p95Seconds: z.optional(int),
  /** Deposits it was computed of. */
  count: z.optional(int),
})

export const Cell = z.union([
  /** `referenceID` of the payment and its project: where the row leads. */
  z.object({ image: text, tooltip: text, referenceID: z.nullable(uuid), externalPlatformID: id }),
  /** A promoter, and their project: where the row leads (api.md 8.4). */
  z.object({ image: text, tooltip: text, promoterID: id, externalPlatformID: id }),
  z.object({ value: ts }),
  z.object({ name: text, description: text }),
  z.object({ icon: text, text, subtext: text }),
  z.object({ href: text, text, ellipsis: z.boolean() }),
  z.object({ text, subtext: text }),
  z.object({ text }),
])

export const CELL_TYPES = ['profile', 'date', 'icon_text', 'text', 'href'] as const

export const BarAttributes = z.object({ axisBottom: text, axisLeft: text })
export const TableAttribute = z.object({ cell_type: z.enum(CELL_TYPES), column_name: text })

/** What was counted, for drill-downs: All payments with `dateField=paid` and these bounds adds up to the same cents. */
export const GraphSpan = z.object({
  /** Null: from the beginning. */
  from: z.nullable(ts),
  /** Excluded. */
  until: ts,
  timezone: text,
  /** Null where there are no buckets. */
  bucket: z.nullable(z.enum(BUCKETS)),
})

/** Beyond {id, type, data, attributes} every field is ours. */
const own = {
  id,
  /** The figures are as of this moment. */
  asOf: ts,
  /** How much of the past is counted, in percent, while an upgraded install still counts it; else null. */
  countedPercent: z.nullable(int),
  span: z.nullable(GraphSpan),
}

/** The period before, of the same length, with `compare=previous`; else null. */
const graph = <Type extends (typeof GRAPH_TYPES)[number], Data extends z.ZodMiniType, Attributes extends z.ZodMiniType>(
  type: Type,
  data: Data,
  attributes: Attributes,
) =>
  z.object({
    ...own,
    type: z.literal(type),
    data: z.array(data),
    attributes,
    previous: z.nullable(z.object({ data: z.array(data), span: GraphSpan })),
  })

export const GraphData = z.discriminatedUnion('type', [
  graph('number_graph', NumberPoint, z.null()),
  graph('bar_graph', BarPoint, BarAttributes),
  graph('pie_with_info_graph', PiePart, z.null()),
  graph('info_graph', InfoLine, z.null()),
  graph('table_graph', z.array(Cell), z.array(TableAttribute)),
])

export type GraphData = z.output<typeof GraphData>

/** `data` of the message `analytics.changed` on the topics `project:{p}:analytics`, at most once a second. */
export const AnalyticsChanged = z.object({
  /** The project whose figures changed; null on `project:all:analytics`, where changes of several go together. */
  projectId: z.nullable(id),
  /** The graphs to fetch again, by id, ascending. */
  graphIDs: z.array(id),
})

export type AnalyticsChanged = z.output<typeof AnalyticsChanged>
