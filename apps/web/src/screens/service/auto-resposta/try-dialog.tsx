import { type AutoReply, keywordModeLabels } from '@balcao/contract/service/auto-replies.ts'
import {
  autoReplyBook,
  matchAutoReply,
  obstacleTexts,
  type Situation,
  verdictsOf,
} from '@balcao/contract/service/auto-reply-match.ts'
import { Modal, SegmentedControl, Select, Stack, Switch, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { connectionList } from '../../../features/channels/connections/api.ts'
import { PartsPreview } from '../../../features/conversations/parts/parts-preview.tsx'
import classes from './try-dialog.module.css'

/** What a customer would be answered, and why: the same decision the server takes, with nothing sent. */
export const TryDialog = ({ rules, onClose }: { rules: readonly AutoReply[]; onClose: () => void }) => {
  const connections = useQuery(connectionList).data ?? []
  const [text, setText] = useState('')
  const [connectionId, setConnection] = useState<string | null>(null)
  const [isOpen, setOpen] = useState(true)
  const [isFirst, setFirst] = useState(true)
  const [isTester, setTester] = useState(false)
  const [lastId, setLast] = useState<string | null>(null)
  const book = useMemo(() => autoReplyBook(rules), [rules])
  const chosen = connectionId ?? connections[0]?.id ?? ''
  const situation: Situation = {
    text,
    type: 'text',
    connectionId: chosen,
    isOpen,
    isFirst: isFirst && !lastId,
    // Long enough ago for its interval, not for its choices.
    last: lastId ? { ruleId: lastId, at: new Date(Date.now() - 59 * 60_000) } : null,
    phones: isTester ? rules.flatMap(({ celularTeste }) => celularTeste ?? []) : [],
    now: new Date(),
  }
  const match = text.trim() ? matchAutoReply(book, situation) : undefined
  const hasTester = rules.some(({ celularTeste }) => celularTeste)
  return (
    <Modal opened onClose={onClose} title="Testar respostas" size={560} closeButtonProps={{ 'aria-label': 'Fechar' }}>
      <Stack gap="sm">
        <TextInput
          data-autofocus
          label="O cliente escreve"
          placeholder="Qual é o valor da entrega?"
          maxLength={1_000}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <div className={classes.where}>
          <Select
            label="Canal"
            data={connections.map(({ id, name }) => ({ value: id, label: name }))}
            allowDeselect={false}
            value={chosen || null}
            onChange={setConnection}
          />
          <Select
            label="A última resposta foi"
            placeholder="Nenhuma"
            clearable
            searchable
            clearButtonProps={{ 'aria-label': 'Nenhuma' }}
            data={rules.map(({ id, name }) => ({ value: id, label: name }))}
            value={lastId}
            onChange={setLast}
          />
        </div>
        <SegmentedControl
          aria-label="Horário"
          data={[
            { value: 'open', label: 'Dentro do horário' },
            { value: 'closed', label: 'Fora do horário' },
          ]}
          value={isOpen ? 'open' : 'closed'}
          onChange={(value) => setOpen(value === 'open')}
        />
        {!lastId && (
          <Switch
            label="É o começo do atendimento"
            checked={isFirst}
            onChange={(event) => setFirst(event.currentTarget.checked)}
          />
        )}
        {hasTester && (
          <Switch
            label="Escreve do celular de teste"
            checked={isTester}
            onChange={(event) => setTester(event.currentTarget.checked)}
          />
        )}
        {text.trim() && (
          <div role="status" className={classes.outcome}>
            {match ? (
              <>
                <Text fw={600}>Responde: {match.rule.name}</Text>
                <Text size="sm" c="dimmed">
                  {match.keyword
                    ? `${keywordModeLabels[match.keyword.mode]} “${match.keyword.text}”.`
                    : 'Vale para qualquer mensagem, e nenhuma resposta com palavras combinou.'}
                </Text>
                {match.rule.parts.length > 0 && <PartsPreview parts={match.rule.parts} />}
              </>
            ) : (
              <Text fw={600}>
                Nada é respondido: a conversa segue para a equipe{isOpen ? '' : ', ou a mensagem de ausência é enviada'}
                .
              </Text>
            )}
          </div>
        )}
        {text.trim() && (
          <details>
            <summary className={classes.summary}>Por que as outras não responderam</summary>
            <ul className={classes.reasons}>
              {verdictsOf(book, situation)
                .filter(({ rule }) => rule.id !== match?.rule.id)
                .map(({ rule, obstacle }) => (
                  <li key={rule.id}>
                    <strong>{rule.name}</strong>: {obstacle ? obstacleTexts[obstacle] : 'Outra vem antes dela.'}
                  </li>
                ))}
            </ul>
          </details>
        )}
      </Stack>
    </Modal>
  )
}
