import { Button, Group, Text, Textarea } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../../../kit/api-error.ts'
import { RelativeTime } from '../../../kit/relative-time.tsx'
import { useCan } from '../../../kit/use-can.ts'
import { notify } from '../../../ui/notify.ts'
import { addNote, timelineQuery } from './api.ts'
import classes from './funnel.module.css'
import { moveText } from './words.ts'

type Props = { id: string; note: string; onNote: (note: string) => void }

/** What was done and noted, the newest first. */
export const OpportunityStory = ({ id, note, onNote }: Props) => {
  const cache = useQueryClient()
  const mayWrite = useCan('funnel.write')
  const story = useQuery(timelineQuery(id))
  const [busy, setBusy] = useState(false)
  const handleAdd = async () => {
    setBusy(true)
    try {
      cache.setQueryData(timelineQuery(id).queryKey, await addNote(id, note))
      onNote('')
    } catch (error) {
      notify.error(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <section aria-label="História" className={classes.items}>
      <Text fw={500} size="sm">
        História
      </Text>
      {mayWrite && (
        <>
          <Textarea
            aria-label="Nova anotação"
            placeholder="Anote o que foi combinado"
            autosize
            minRows={2}
            maxRows={8}
            maxLength={2_000}
            value={note}
            onChange={(event) => onNote(event.currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button size="xs" variant="default" loading={busy} disabled={!note.trim()} onClick={() => void handleAdd()}>
              Anotar
            </Button>
          </Group>
        </>
      )}
      <ol className={classes.timeline}>
        {(story.data ?? []).map((move) => (
          <li key={move.id}>
            {moveText(move)}
            <div className={classes.meta}>
              {move.user?.name ?? move.rule ?? 'Automático'} · <RelativeTime moment={move.at} />
            </div>
          </li>
        ))}
      </ol>
    </section>
  )
}
