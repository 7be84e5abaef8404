/** Graphs of the dashboard: groups as an operator arranged them, and the figures of one graph, exact at this moment. */
import { GRAPH_GROUPS, type Graph, type GraphGroup } from '@kassa/contract/analytics/groups.ts'
import type { GraphFilters, GroupChoice } from '@kassa/contract/analytics/inputs.ts'
import type { GraphData, UserGroup } from '@kassa/contract/analytics/schemas.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'

import { type Context, inSnapshot, type ProjectScope } from '../../../context.ts'
import { backendUrl } from '../../settings/service.ts'
import { countedPercent, findFirstPaid, type Moments } from '../rollups/service.ts'
import { listChoices, upsertChoice } from './choice-store.ts'
import { type Figure, FIGURES, type Question, spanOf, spanView } from './figures.ts'
import { type Filter, readFilters } from './filter-rules.ts'
import { chosenFilters, groupView } from './group-view.ts'
import { RECENT_COLUMNS } from './recent-view.ts'
import { spanBefore } from './span-rules.ts'
import { listProjectIds } from './store.ts'

export { bucketsOf } from './span-rules.ts'
export { type Zone, zoneOf } from './zone-rules.ts'

/** The groups, in the order of the calling operator; a key reads the default order. */
export async function listGroups(ctx: Context, scope: ProjectScope): Promise<UserGroup[]> {
  if (paymentScope(ctx, scope) === null) return []
  const choices = new Map((await choicesOf(ctx)).map((choice) => [choice.group_id, choice]))
  const place = { project: projectText(scope), backend: await backendOf(ctx), memberId: memberOf(ctx) }
  const groups = GRAPH_GROUPS.map((group) => groupView(group, choices.get(group.id), place))
  return groups.toSorted((a, b) => a.sequence - b.sequence || a.groupID - b.groupID)
}

/** Arranges a group for the calling operator. @throws GRAPH_NOT_FOUND, FILTER_INVALID */
export async function changeGroup(
  ctx: Context,
  scope: ProjectScope,
  g: string,
  change: GroupChoice,
): Promise<UserGroup> {
  if (ctx.caller.kind !== 'operator' || paymentScope(ctx, scope) === null) return fail('GRAPH_NOT_FOUND')
  const group = groupOf(g)
  const project = projectText(scope)
  const { visible = null, sequence = null, customFilters } = change
  const values = customFilters ? chosenFilters(group, customFilters) : null
  if (values !== null) readFilters(values.filters, 'every')
  await upsertChoice(ctx, {
    operatorId: ctx.caller.operatorId,
    groupId: group.id,
    visible,
    sequence,
    filters: values && { project, values: values.stored },
  })
  const groups = await listGroups(ctx, scope)
  return groups.find(({ groupID }) => groupID === group.id) ?? fail('GRAPH_NOT_FOUND')
}

/** The figures of a graph. @throws GRAPH_NOT_FOUND, FILTER_INVALID */
export async function readGraph(
  ctx: Context,
  scope: ProjectScope,
  asked: { readonly g: string; readonly k: string; readonly filters: GraphFilters },
): Promise<GraphData> {
  const { figure, graph } = graphOf(asked.g, asked.k)
  const visible = paymentScope(ctx, scope)
  if (visible === null) return fail('GRAPH_NOT_FOUND')
  const filter = readFilters(asked.filters, visible)
  const backend = await backendOf(ctx)
  // All statements of a graph read the same moment, so that new and recurring customers add up.
  for await (const data of inSnapshot(ctx, async function* (snapshot) {
    yield await readFigure(snapshot, { figure, graph, filter, backend })
  })) {
    return data
  }
  throw new Error('A snapshot gave nothing')
}

/** The projects that a filter names, of those that exist. */
export function listVisible(ctx: Context, projectIds: Filter['projectIds']): Promise<number[]> {
  return listProjectIds(ctx, projectIds)
}

type Asked = { readonly figure: Figure; readonly graph: Graph; readonly filter: Filter; readonly backend: string }

async function readFigure(ctx: Context, { figure, graph, filter, backend }: Asked): Promise<GraphData> {
  const now = ctx.now()
  const projectIds = await listProjectIds(ctx, filter.projectIds)
  const open = spanOf(figure, filter, now)
  const span = await closed(ctx, projectIds, open, filter)
  const question: Question = { projectIds, span: span ?? { from: now, until: now }, filter, backend, now }
  const before =
    filter.isCompared && figure.span === 'filter' && open?.from ? spanBefore(question.span, filter.zone) : null
  return {
    id: graph.id,
    type: graph.type,
    data: await figure.read(ctx, question),
    attributes: figure.attributes ?? (graph.type === 'table_graph' ? RECENT_COLUMNS : null),
    asOf: now,
    countedPercent: await countedPercent(ctx),
    span: open && spanView(figure, span ?? open, filter, open.from === null),
    previous: before && {
      data: await figure.read(ctx, { ...question, span: before }),
      span: spanView(figure, before, filter, false),
    },
  } as GraphData
}

/** Gives a span from the beginning its start: the day of the first counted deposit, or the span's last day when there is none. */
async function closed(
  ctx: Context,
  projectIds: readonly number[],
  open: { readonly from: Date | null; readonly until: Date } | null,
  { zone }: Filter,
): Promise<Moments | null> {
  if (open === null) return null
  if (open.from) return { from: open.from, until: open.until }
  const first = (await findFirstPaid(ctx, projectIds)) ?? new Date(open.until.getTime() - 1)
  const { year, month, day } = zone.wallAt(first)
  return { from: zone.startOf(year, month, day), until: open.until }
}

/**
 * The projects whose payments the caller may see; null when the caller may see graphs but no payments, as with some custom
 * roles.
 */
function paymentScope({ caller }: Context, { projectIds }: ProjectScope): ProjectScope['projectIds'] | null {
  if (caller.kind !== 'operator' || caller.grants.everywhere.has('payment:read')) return projectIds
  const paying = [...caller.grants.projects].filter(([, granted]) => granted.has('payment:read')).map(([id]) => id)
  if (projectIds !== 'every' && projectIds.length === 0) return projectIds
  const seen = projectIds === 'every' ? paying : paying.filter((id) => projectIds.includes(id))
  return seen.length > 0 ? seen : null
}

function groupOf(g: string): GraphGroup {
  return (GRAPH_GROUPS as readonly GraphGroup[]).find(({ id }) => String(id) === g) ?? fail('GRAPH_NOT_FOUND')
}

function graphOf(g: string, k: string): { figure: Figure; graph: Graph } {
  const graph = groupOf(g).graphs.find(({ id }) => String(id) === k) ?? fail('GRAPH_NOT_FOUND')
  return { graph, figure: FIGURES.get(graph.id) ?? fail('GRAPH_NOT_FOUND') }
}

function projectText({ projectId }: ProjectScope): string {
  return projectId === null ? 'all' : String(projectId)
}

async function choicesOf(ctx: Context) {
  return ctx.caller.kind === 'operator' ? listChoices(ctx, ctx.caller.operatorId) : []
}

function memberOf({ caller }: Context): number {
  return caller.kind === 'operator' ? caller.operatorId : 0
}

async function backendOf(ctx: Context): Promise<string> {
  return (await backendUrl(ctx)) ?? ctx.config.siteUrl ?? ''
}
