import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { SetupLine } from './SetupLine.tsx'

const LATER = [
  { title: 'Choose where your money ends', fact: 'A wallet only you control.' },
  { title: 'Make a test payment', fact: 'See money travel from link to “Paid”.' },
  { title: 'Connect your shop', fact: 'An API key and a webhook.' },
] as const

/** The guide of an empty install: everything begins with a project. */
export function FirstProject({ onAdd }: { onAdd: (() => void) | undefined }) {
  return (
    <Card title="Setup guide" text="0 of 4 done">
      <ol className="-my-1 divide-y divide-border">
        <SetupLine
          title="Create a project"
          fact={
            onAdd === undefined
              ? 'Ask an administrator to add one, or to add you to one.'
              : 'A brand or a site that takes payments under its own name.'
          }
          isDone={false}
        >
          {onAdd !== undefined && (
            <Button kind="primary" size="small" onClick={onAdd}>
              Create a project
            </Button>
          )}
        </SetupLine>
        {LATER.map((line) => (
          <SetupLine key={line.title} {...line} isDone={false} />
        ))}
      </ol>
    </Card>
  )
}
