import { type Selectable, sql } from 'kysely'

import type { Context } from '../../../context.ts'
import type { AnalyticsTables } from './tables.ts'

const tables = (ctx: Context) => ctx.db.$extendTables<AnalyticsTables>()

export type ChoiceRow = Selectable<AnalyticsTables['analytics_choices']>

/** Lists how an operator arranged groups. */
export function listChoices(ctx: Context, operatorId: number): Promise<ChoiceRow[]> {
  return tables(ctx).selectFrom('analytics_choices').selectAll().where('operator_id', '=', operatorId).execute()
}

export type Choice = {
  readonly operatorId: number
  readonly groupId: number
  readonly visible: boolean | null
  readonly sequence: number | null
  /** Replaces the filters of one project (or `all`). */
  readonly filters: { readonly project: string; readonly values: Readonly<Record<string, string>> } | null
}

/** Stores how an operator arranged a group; null leaves a part as it was. */
export async function upsertChoice(ctx: Context, choice: Choice): Promise<void> {
  const now = ctx.now()
  const filters = JSON.stringify(choice.filters === null ? {} : { [choice.filters.project]: choice.filters.values })
  await sql`
    INSERT INTO analytics_choices AS known (operator_id, group_id, visible, sequence, filters, created_at, updated_at)
    VALUES (${choice.operatorId}, ${choice.groupId}, ${choice.visible}, ${choice.sequence}, ${filters}::jsonb, ${now}, ${now})
    ON CONFLICT (operator_id, group_id) DO UPDATE SET
      visible = coalesce(excluded.visible, known.visible), sequence = coalesce(excluded.sequence, known.sequence),
      filters = known.filters || excluded.filters, updated_at = excluded.updated_at`.execute(ctx.db)
}
