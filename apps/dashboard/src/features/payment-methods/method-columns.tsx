import { plural, t } from '@lingui/core/macro'

import type { Can } from '../../api/me.ts'
import type { ListedProject } from '../../api/projects.ts'
import { Amount } from '../../ui/facts/Amount.tsx'
import type { Column } from '../../ui/list/columns.ts'
import { isLast, methodName, type MethodRow } from './method-rows.ts'
import { MethodCell } from './MethodCell.tsx'
import { NetworkObstacle, WalletObstacle } from './Obstacle.tsx'

/** What is accepted and why it cannot be paid with; a column for each project; from which amount on, after how many blocks. */
export function methodColumns(
  projects: readonly ListedProject[],
  rows: readonly MethodRow[],
  { can, isNarrow }: { can: Can; isNarrow: boolean },
): Column<MethodRow>[] {
  return [
    {
      key: 'name',
      label: t`Payment method`,
      card: 'title',
      cell: (row) =>
        isNarrow ? (
          <Name row={row} />
        ) : (
          <div className="py-1.5">
            <Name row={row} />
            <NetworkObstacle method={row.anyMethod} />
          </div>
        ),
    },
    ...(isNarrow ? [networkObstacle] : []),
    ...projects.flatMap((project) => projectColumns(project, rows, { can, isNarrow })),
    {
      key: 'minimum',
      label: t`Smallest payment`,
      align: 'end',
      card: 'foot',
      cardLabel: true,
      shrink: 2,
      cell: ({ asset, currency }) =>
        asset === undefined ? null : <Amount value={asset.minDepositAmount ?? '0'} currency={currency} />,
    },
    {
      key: 'confirmations',
      label: t`Final after`,
      align: 'end',
      card: 'foot',
      cardLabel: true,
      shrink: 1,
      cell: ({ asset }) => asset && blocksText(asset.blockchain.minConfirmations),
    },
  ]
}

/** Grey where the whole install does not take it; the reason stands below. */
function Name({ row }: { row: MethodRow }) {
  return row.anyMethod?.fixedAt === 'network' ? <span className="text-muted">{methodName(row)}</span> : methodName(row)
}

/** On a card the obstacle has a line of its own. */
const networkObstacle: Column<MethodRow> = {
  key: 'obstacle',
  label: '',
  card: 'line',
  cell: (row) => <NetworkObstacle method={row.anyMethod} />,
}

/** The switch, and below it the obstacle; on a card the obstacle has a line of its own. */
function projectColumns(
  project: ListedProject,
  rows: readonly MethodRow[],
  { can, isNarrow }: { can: Can; isNarrow: boolean },
): Column<MethodRow>[] {
  const all = rows.flatMap(({ byProject }) => byProject.get(project.id) ?? [])
  const control = (row: MethodRow) => {
    const method = row.byProject.get(project.id)
    if (method === undefined) return null
    const mayChange = can('project:update', project.id)
    return (
      <MethodCell
        project={project}
        method={method}
        name={methodName(row)}
        isOnly={isLast(all, method)}
        mayChange={mayChange}
      />
    )
  }
  const obstacle = (row: MethodRow) => <WalletObstacle method={row.byProject.get(project.id)} />
  const key = `project-${project.id}`
  if (isNarrow) {
    return [
      { key, label: project.name, card: 'badge', cell: control },
      { key: `${key}-obstacle`, label: '', card: 'line', cell: obstacle },
    ]
  }
  const cell = (row: MethodRow) => (
    <div className="py-1.5">
      {control(row)}
      {obstacle(row)}
    </div>
  )
  return [{ key, label: project.name, cell }]
}

function blocksText(blocks: number): string {
  return t`${plural(blocks, { one: '# block', other: '# blocks' })}`
}
