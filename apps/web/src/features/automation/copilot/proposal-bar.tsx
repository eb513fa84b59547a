import { type CopilotAsked, languages, rewriteLabels } from '@balcao/contract/automation/copilot.ts'
import { Button, CopyButton, Group, Loader, Text, VisuallyHidden } from '@mantine/core'
import { IconSparkles } from '@tabler/icons-react'
import { Shortcut } from '../../../ui/shortcut.tsx'
import { UserText } from '../../../ui/user-text.tsx'
import classes from './proposal-bar.module.css'
import { type Copilot, isAdvice } from './use-copilot.ts'

/** What the copilot proposes, above the field: to be taken, or not. */
export const ProposalBar = ({ copilot }: { copilot: Copilot }) => {
  const { proposal, take, discard, ask } = copilot
  if (!proposal) return copilot.canGoBack ? <GoBack /> : null
  const { asked, text, sources, isWriting, problem } = proposal
  return (
    <section className={classes.bar} aria-label="Proposta do copiloto" aria-busy={isWriting}>
      <div className={classes.head}>
        <IconSparkles size={16} aria-hidden />
        <span>{titleOf(asked)}</span>
        {isWriting && <Loader size={14} aria-label="Escrevendo" />}
      </div>
      {text && (
        <div className={classes.text}>
          <UserText text={text} />
        </div>
      )}
      {problem && (
        <Text size="sm" role="alert" c="var(--mantine-color-error)">
          {problem}
        </Text>
      )}
      {sources.length > 0 && (
        <Text size="xs" c="dimmed">
          Com base em: {sources.join(', ')}
        </Text>
      )}
      {/* Said once it is whole: a reader would begin anew with every word. */}
      <VisuallyHidden role="status">{!isWriting && text && `Proposta do copiloto: ${text}`}</VisuallyHidden>
      <Group gap="xs">
        {isAdvice(asked) ? (
          text && (
            <CopyButton value={text}>
              {({ copied, copy }) => (
                <Button size="compact-sm" variant="default" disabled={isWriting} onClick={copy}>
                  {copied ? 'Copiado' : 'Copiar'}
                </Button>
              )}
            </CopyButton>
          )
        ) : problem ? (
          <Button size="compact-sm" variant="default" onClick={() => void ask(asked)}>
            Tentar de novo
          </Button>
        ) : (
          <Button
            size="compact-sm"
            disabled={isWriting || !text}
            rightSection={<Shortcut keys={['Enter']} />}
            onClick={take}
          >
            Usar
          </Button>
        )}
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          rightSection={<Shortcut keys={['Esc']} />}
          onClick={discard}
        >
          {isAdvice(asked) ? 'Fechar' : 'Descartar'}
        </Button>
      </Group>
    </section>
  )
}

const GoBack = () => (
  <p className={classes.back} role="status">
    Texto do copiloto: confira antes de enviar. <kbd>Esc</kbd> volta ao que você tinha escrito.
  </p>
)

const titleOf = (asked: CopilotAsked): string => {
  switch (asked.task) {
    case 'suggest':
      return 'Sugestão de resposta'
    case 'rewrite':
      return rewriteLabels[asked.style]
    case 'translate':
      return asked.to === 'customer' ? 'Tradução para a língua do cliente' : `Tradução para ${languages[asked.to]}`
    case 'summary':
      return 'Resumo da conversa'
    case 'next':
      return 'Próximo passo'
  }
}
