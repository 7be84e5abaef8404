import { Breadcrumbs } from '../ui/Breadcrumbs.tsx'
import { Button } from '../ui/Button.tsx'
import { Card } from '../ui/Card.tsx'
import type { Part } from './specimen.ts'

export const PLACES: readonly Part[] = [
  {
    name: 'Breadcrumbs',
    wide: true,
    specimens: [
      {
        state: 'three deep',
        shown: (
          <Breadcrumbs
            crumbs={[{ label: 'Acme', href: '#acme' }, { label: 'Payments', href: '#payments' }, { label: '0192f3' }]}
          />
        ),
      },
    ],
  },
  {
    name: 'Card',
    wide: true,
    specimens: [
      {
        state: 'with a head',
        shown: (
          <Card
            title="Signed-in devices"
            text="End what you don’t know."
            actions={<Button>Sign out everywhere</Button>}
          >
            <p>One device.</p>
          </Card>
        ),
      },
      { state: 'plain', shown: <Card>Anything.</Card> },
    ],
  },
]
