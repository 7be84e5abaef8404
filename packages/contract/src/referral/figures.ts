/** The figures of the growth dashboard (api.md 8.4): names and ids are contract, existing clients look for them. */
import type { GraphType } from '../analytics/groups.ts'

type GrowthFigure = { readonly id: number; readonly type: GraphType; readonly label: string }

export const GROWTH_FIGURES = {
  promoters_count: { id: 2, type: 'number_graph', label: 'Promoters' },
  referee_count: { id: 3, type: 'number_graph', label: 'Customers' },
  campaign_count: { id: 4, type: 'number_graph', label: 'Campaigns' },
  reward_value: { id: 5, type: 'number_graph', label: 'Total Rewards Given To Promoters' },
  reward_claimed: { id: 6, type: 'number_graph', label: 'Reward claimed by promoters' },
  total_revenue: { id: 7, type: 'number_graph', label: 'Total Revenue' },
  reward_series: { id: 8, type: 'bar_graph', label: 'Rewards over time' },
  promoters: { id: 9, type: 'table_graph', label: 'Promoters' },
} as const satisfies Readonly<Record<string, GrowthFigure>>

export type GrowthFigureName = keyof typeof GROWTH_FIGURES

/** The columns of `promoters`, in their order. */
export const PROMOTER_COLUMNS = [
  { cell_type: 'profile', column_name: '' },
  { cell_type: 'profile', column_name: 'Customer' },
  { cell_type: 'text', column_name: 'Referral Code' },
  { cell_type: 'text', column_name: 'Customers' },
  { cell_type: 'date', column_name: 'Date Joined' },
  { cell_type: 'text', column_name: 'Rewards Earned' },
] as const
