import type { LikePair } from '@balcao/contract/core/likeness.ts'
import { Button, Modal, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import classes from './like-pairs.module.css'

type Face = { name: string; detail: ReactNode; canGo: boolean }
type Props = {
  title: string
  pairs: readonly LikePair[]
  faceOf: (id: string) => Face | undefined
  /** The other one goes, and what it was is this one's. */
  onKeep: (keptId: string, goneId: string) => Promise<unknown>
  onArchive: (id: string) => Promise<unknown>
  onClose: () => void
}

/** What seems to be there twice: which one stays, one by one. */
export const LikePairs = ({ title, pairs, faceOf, onKeep, onArchive, onClose }: Props) => {
  const [isBusy, setBusy] = useState(false)
  const [apart, setApart] = useState<ReadonlySet<string>>(new Set())
  const during = async (work: Promise<unknown>) => {
    setBusy(true)
    await work
    setBusy(false)
  }
  const shown = pairs.filter(({ a, b }) => !apart.has(`${a} ${b}`) && faceOf(a) && faceOf(b))
  return (
    <Modal
      opened
      onClose={onClose}
      size={680}
      title={<Text fw={600}>{title}</Text>}
      closeButtonProps={{ 'aria-label': 'Fechar' }}
    >
      {shown.length === 0 && <Text c="dimmed">Nada repetido à vista.</Text>}
      <ul className={classes.pairs}>
        {shown.map(({ a, b, why }) => (
          <li key={`${a} ${b}`} className={classes.pair}>
            <header className={classes.head}>
              <span>{reasons[why]}</span>
              <Button
                size="compact-sm"
                variant="subtle"
                color="gray"
                onClick={() => setApart(new Set([...apart, `${a} ${b}`]))}
              >
                São diferentes
              </Button>
            </header>
            <div className={classes.sides}>
              {[
                [a, b],
                [b, a],
              ].map(([id = '', otherId = '']) => {
                const face = faceOf(id)
                return (
                  <section key={id} className={classes.side} aria-label={face?.name}>
                    <strong className="truncate">{face?.name}</strong>
                    <span className={classes.detail}>{face?.detail}</span>
                    <span className={classes.actions}>
                      <Button
                        size="compact-sm"
                        variant="light"
                        disabled={isBusy || !faceOf(otherId)?.canGo}
                        aria-label={`Unir, ficando ${face?.name}`}
                        onClick={() => void during(onKeep(id, otherId))}
                      >
                        Unir nesta
                      </Button>
                      <Button
                        size="compact-sm"
                        variant="subtle"
                        disabled={isBusy || !face?.canGo}
                        aria-label={`Arquivar ${face?.name}`}
                        onClick={() => void during(onArchive(id))}
                      >
                        Arquivar
                      </Button>
                    </span>
                  </section>
                )
              })}
            </div>
          </li>
        ))}
      </ul>
    </Modal>
  )
}

const reasons: Record<LikePair['why'], string> = {
  name: 'O mesmo atalho',
  same: 'O mesmo texto',
  near: 'Quase o mesmo texto',
}
