import { type CopilotAsked, rewriteLabels, rewriteStyles } from '@balcao/contract/automation/copilot.ts'
import { ActionIcon, Menu, Tooltip } from '@mantine/core'
import {
  IconAbc,
  IconArrowRightBar,
  IconFileText,
  IconLanguage,
  IconMessageReply,
  IconSparkles,
} from '@tabler/icons-react'
import { useState } from 'react'

type Props = {
  ticketId: string
  /** What is in the field. */
  text: string
  /** What the customer wrote last; empty: nothing. Asked when the menu opens. */
  lastFromCustomer: () => string
  onAsk: (asked: CopilotAsked) => void
}

/** What the copilot can be asked while writing. */
export const CopilotMenu = ({ ticketId, text, lastFromCustomer, onAsk }: Props) => {
  const typed = text.trim()
  const [heard, setHeard] = useState('')
  const [isOpen, setOpen] = useState(false)
  const why = typed ? undefined : 'Escreva algo antes.'
  return (
    <Menu
      position="top-start"
      width={280}
      returnFocus={false}
      opened={isOpen}
      onChange={setOpen}
      onOpen={() => setHeard(lastFromCustomer())}
    >
      <Menu.Target>
        <Tooltip label="Copiloto (Ctrl+J sugere uma resposta)" disabled={isOpen}>
          <ActionIcon aria-label="Copiloto">
            <IconSparkles size={20} stroke={1.75} />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown mah="70vh" style={{ overflowY: 'auto' }}>
        <Menu.Item
          leftSection={<IconMessageReply size={16} aria-hidden />}
          onClick={() => onAsk({ task: 'suggest', ticketId, draft: typed })}
        >
          Sugerir resposta
        </Menu.Item>
        <Menu.Item
          leftSection={<IconArrowRightBar size={16} aria-hidden />}
          onClick={() => onAsk({ task: 'next', ticketId })}
        >
          Qual o próximo passo?
        </Menu.Item>
        <Menu.Item
          leftSection={<IconFileText size={16} aria-hidden />}
          onClick={() => onAsk({ task: 'summary', ticketId, for: 'transfer' })}
        >
          Resumir a conversa
        </Menu.Item>
        <Menu.Label>O que escrevi</Menu.Label>
        {rewriteStyles.map((style) => (
          <Menu.Item
            key={style}
            leftSection={<IconAbc size={16} aria-hidden />}
            disabled={!typed}
            title={why}
            onClick={() => onAsk({ task: 'rewrite', ticketId, text: typed, style })}
          >
            {rewriteLabels[style]}
          </Menu.Item>
        ))}
        <Menu.Label>Traduzir</Menu.Label>
        <Menu.Item
          leftSection={<IconLanguage size={16} aria-hidden />}
          disabled={!heard}
          onClick={() => onAsk({ task: 'translate', ticketId, text: heard.slice(0, 8_000), to: 'pt' })}
        >
          O que o cliente escreveu
        </Menu.Item>
        {(['customer', 'en', 'es'] as const).map((to) => (
          <Menu.Item
            key={to}
            leftSection={<IconLanguage size={16} aria-hidden />}
            disabled={!typed}
            title={why}
            onClick={() => onAsk({ task: 'translate', ticketId, text: typed, to })}
          >
            {to === 'customer' ? 'Para a língua do cliente' : to === 'en' ? 'Para o inglês' : 'Para o espanhol'}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
