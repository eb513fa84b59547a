/**
 * Every error a person can meet: the code is the API, the text is what the screen says when the server
 * sends nothing better. Codes that outside callers know keep their names.
 */
export const errorCodes = {
  ERR_VALIDATION: { status: 422, text: 'Alguns campos precisam de correção.' },
  ERR_INTERNAL: { status: 500, text: 'Ocorreu um erro não identificado.' },
  ERR_NOT_FOUND: { status: 404, text: 'Não encontramos o que você abriu. Pode ter sido excluído.' },
  ERR_CONFLICT: {
    status: 409,
    text: 'Outra pessoa mudou isto enquanto você editava. Confira o que mudou antes de salvar.',
  },
  ERR_DUPLICATED: { status: 409, text: 'Já existe um item com este valor. Escolha outro.' },
  ERR_IN_USE: { status: 409, text: 'Isto está em uso e não pode ser excluído. Troque onde aparece antes.' },
  ERR_TOO_MANY: { status: 429, text: 'Muitas solicitações. Aguarde um momento e tente de novo.' },
  ERR_TOO_LARGE: { status: 413, text: 'O arquivo é maior do que o permitido.' },
  ERR_TOO_HEAVY: { status: 413, text: 'Isto é grande demais para ser preparado. Tente com menos de cada vez.' },
  ERR_STORAGE_FULL: {
    status: 507,
    text: 'Não há espaço para guardar arquivos. Mensagens de texto continuam funcionando. Avise o administrador.',
  },
  ERR_BUSY: {
    status: 429,
    text: 'Há buscas demais em andamento. Espere alguns segundos e tente de novo.',
  },
  ERR_TOO_SLOW: {
    status: 422,
    text: 'Isso demorou demais e foi interrompido. Busque por palavras mais específicas ou escolha um período menor.',
  },
  ERR_UNAVAILABLE: { status: 503, text: 'O servidor não está disponível agora. Tente de novo em instantes.' },

  ERR_NO_DEF_WAPP_FOUND: {
    status: 404,
    text: 'Nenhum WhatsApp padrão encontrado. Confira a página de canais.',
  },
  ERR_WAPP_NOT_INITIALIZED: {
    status: 409,
    text: 'Este WhatsApp não foi iniciado. Confira a página de canais.',
  },
  ERR_WAPP_INITIALIZED: {
    status: 409,
    text: 'O canal não está conectado e está reiniciando. Tente de novo em alguns segundos.',
  },
  ERR_WAPP_CHECK_CONTACT: { status: 502, text: 'Não foi possível verificar o contato. Confira a página de canais.' },
  ERR_WAPP_INVALID_CONTACT: { status: 422, text: 'Este não é um número de WhatsApp válido.' },
  ERR_WAPP_DOWNLOAD_MEDIA: { status: 502, text: 'Não foi possível baixar a mídia. Confira a página de canais.' },
  ERR_INVALID_CREDENTIALS: { status: 401, text: 'E-mail ou senha não conferem. Confira e tente de novo.' },
  ERR_LIMIT_MAX: { status: 429, text: 'Muitas tentativas. Tente novamente em 1 minuto.' },
  ERR_SENDING_WAPP_MSG: { status: 502, text: 'Não conseguimos enviar a mensagem. Confira a página de canais.' },
  ERR_DELETE_WAPP_MSG: {
    status: 409,
    text: 'Não foi possível excluir a mensagem. Ela pode ser antiga demais para o canal.',
  },
  ERR_OTHER_OPEN_TICKET: { status: 409, text: 'Já existe um atendimento aberto para este contato.' },
  ERR_SESSION_EXPIRED: { status: 401, text: 'Sua sessão expirou. Entre de novo.' },
  ERR_USER_BLOCKED: { status: 401, text: 'Seu acesso foi bloqueado. Fale com o administrador.' },
  ERR_USER_CREATION_DISABLED: { status: 403, text: 'A criação de usuários foi desativada pelo administrador.' },
  ERR_NO_PERMISSION: { status: 403, text: 'Você não tem permissão para isto. Fale com o administrador.' },
  ERR_DUPLICATED_CONTACT: { status: 409, text: 'Já existe um contato com este número.' },
  ERR_CONTACTS_BOTH_ACTIVE: {
    status: 409,
    text: 'Os dois contatos têm atendimento ativo no mesmo canal. Encerre ou una esses atendimentos antes.',
  },
  ERR_MERGE_NOT_LAST: {
    status: 409,
    text: 'Este contato já faz parte de outro. Desfaça primeiro a união mais recente.',
  },
  ERR_NO_SETTING_FOUND: { status: 404, text: 'Não encontramos esta configuração.' },
  ERR_NO_CONTACT_FOUND: { status: 404, text: 'Não encontramos este contato. Ele pode ter sido excluído.' },
  ERR_NO_TICKET_FOUND: { status: 404, text: 'Atendimento não encontrado.' },
  ERR_NO_USER_FOUND: { status: 404, text: 'Não encontramos este usuário. Ele pode ter sido excluído.' },
  ERR_NO_WAPP_FOUND: { status: 404, text: 'Não encontramos este canal. Ele pode ter sido excluído.' },
  ERR_CREATING_MESSAGE: { status: 500, text: 'Não conseguimos guardar a mensagem. Tente de novo.' },
  ERR_CREATING_TICKET: { status: 500, text: 'Não conseguimos criar o atendimento. Tente de novo.' },
  ERR_FETCH_WAPP_MSG: { status: 404, text: 'Não encontramos a mensagem. Talvez ela seja muito antiga.' },
  ERR_TENANT_INACTIVE: { status: 403, text: 'O acesso desta empresa está inativo. Fale com o administrador.' },
  ERR_ASAAS_OVERDUE: { status: 402, text: 'Há uma pendência no plano da empresa. Verifique a situação dele.' },

  ERROR_NO_PERMISSION_API_ADMIN: { status: 403, text: 'Instalação não AUTORIZADA' },
  OUT_RANGE: { status: 403, text: 'Fora do horário de atendimento permitido.' },
  INVALID_LICENSE: { status: 403, text: 'Licença inválida.' },
  INVALID_DOMAIN: { status: 403, text: 'Domínio não autorizado pela licença.' },
  LICENSE_ERROR: { status: 403, text: 'Falha ao verificar a licença.' },

  ERR_PASSWORD_PLAIN: { status: 422, text: 'Não foi possível proteger a senha. Acesse por HTTPS.' },
  ERR_PASSWORD_WEAK: { status: 422, text: 'Use uma senha com pelo menos 8 caracteres.' },
  ERR_PASSWORD_WRONG: { status: 422, text: 'A senha atual não confere.' },
  ERR_RESET_TOKEN: { status: 422, text: 'Este link expirou ou já foi usado. Peça um novo.' },
  ERR_PROTOCOL_LINK: {
    status: 404,
    text: 'Este endereço não existe ou já expirou. Peça um novo a quem atendeu você.',
  },
  ERR_SETUP_TOKEN: {
    status: 403,
    text: 'Este link de instalação é inválido ou já foi usado. Reinicie o servidor para receber outro.',
  },
  ERR_IMPERSONATION_CODE: { status: 403, text: 'Código inválido, expirado ou já utilizado.' },
  ERR_IMPERSONATION_FORBIDDEN: { status: 403, text: 'Esta empresa não permite o acesso do suporte.' },
  ERR_DUPLICATED_EMAIL: { status: 409, text: 'Já existe um usuário com este e-mail.' },
  ERR_PLATFORM_PERSON: {
    status: 409,
    text: 'Esta pessoa também cuida da plataforma. O acesso dela não muda por aqui.',
  },
  ERR_LAST_ADMIN: {
    status: 409,
    text: 'A empresa precisa de pelo menos um administrador ativo, que veja o menu Usuários.',
  },
  ERR_USER_LIMIT_USER_CREATION: {
    status: 409,
    text: 'O limite de usuários do plano foi atingido. Exclua alguém antes.',
  },
  ERR_CONNECTION_LIMIT: { status: 409, text: 'O limite de canais do plano foi atingido. Exclua um deles antes.' },
  ERR_CONTACT_LIMIT: { status: 409, text: 'O limite de contatos do plano foi atingido. Exclua ou una alguns antes.' },
  ERR_STORAGE_LIMIT: { status: 409, text: 'O espaço para arquivos do plano acabou. Fale com quem cuida da sua conta.' },
  ERR_ROLE_IN_USE: { status: 409, text: 'Este perfil é de alguém. Troque o perfil dessas pessoas antes.' },
  ERR_RIGHTS_BEYOND: { status: 403, text: 'Você só pode dar, ou mudar em alguém, o acesso que você mesmo tem.' },

  ERR_CONTACT_TICKETS_REGISTERED: {
    status: 409,
    text: 'Este contato tem atendimentos no histórico e não pode ser excluído.',
  },
  ERR_AUTO_REPLY_RELATIONED_TICKET: {
    status: 409,
    text: 'Esta resposta já foi dada a clientes e não pode ser excluída. Desative-a.',
  },
  ERR_TAG_CONTACTS_EXISTS: { status: 409, text: 'Esta etiqueta está em contatos. Remova-a deles antes.' },
  ERR_QUEUE_TICKET_EXISTS: { status: 409, text: 'Esta fila tem conversas. Desative-a ou mude isso antes.' },
  ERR_REASON_IN_USE: {
    status: 409,
    text: 'Este motivo já encerrou atendimentos. Desative-o para que não seja mais oferecido.',
  },
  ERR_NO_STATUS_SELECTED: { status: 422, text: 'Selecione ao menos uma situação.' },
  ERR_TICKET_CLOSED: { status: 409, text: 'Este atendimento está encerrado. Reabra para responder.' },
  ERR_TICKET_OFFERED: {
    status: 409,
    text: 'Este atendimento está na vez de outra pessoa. Você pode assumir mesmo assim.',
  },
  ERR_TICKET_TAKEN: { status: 409, text: 'Outro atendente já aceitou este atendimento.' },
  ERR_UNDO_OVER: { status: 409, text: 'Não dá mais para desfazer.' },
  ERR_NOBODY_WAITING: { status: 404, text: 'Ninguém esperando por você agora.' },
  ERR_TOO_MANY_PINS: { status: 409, text: 'Você já fixou 20 atendimentos. Desafixe um deles antes.' },
  ERR_INVALID_TRANSITION: { status: 409, text: 'Esta mudança de situação não é possível agora.' },
  ERR_WINDOW_CLOSED: {
    status: 409,
    text: 'A janela de 24 horas terminou. Envie um modelo aprovado, onde o canal tem modelos, ou espere o cliente escrever.',
  },
  ERR_NO_CONSENT: { status: 409, text: 'O contato pediu para não receber mensagens deste tipo.' },
  ERR_CHANNEL_UNSUPPORTED: { status: 422, text: 'Este canal não aceita este tipo de mensagem.' },
  ERR_CONTACT_UNREACHABLE: { status: 422, text: 'O contato não tem um endereço neste canal.' },
  ERR_AI_BUDGET: {
    status: 409,
    text: 'O orçamento de inteligência artificial deste mês acabou. Aumente em Configurações, Uso e orçamento.',
  },
  ERR_NO_MODEL: { status: 409, text: 'Nenhum provedor de inteligência artificial está ligado. Configure um deles.' },
  ERR_NO_VOICE_ACCOUNT: {
    status: 409,
    text: 'Nenhuma conta de ligações está ligada. Configure uma em Configurações, Vapi.',
  },
  ERR_MODEL_FAILED: { status: 502, text: 'O provedor de inteligência artificial não respondeu. Tente de novo.' },
  ERR_CHANNEL_REFUSED: { status: 422, text: 'O provedor recusou a configuração deste canal.' },
  ERR_SCHEDULE_NOT_PENDING: { status: 409, text: 'Esta mensagem agendada já foi enviada ou cancelada.' },
  ERR_MESSAGE_NOT_RESENDABLE: { status: 409, text: 'Só se tenta de novo o que não foi enviado.' },
  ERR_EGRESS_REFUSED: { status: 422, text: 'Este endereço não é permitido: ele aponta para uma rede interna.' },
  ERR_CEP_NOT_FOUND: { status: 404, text: 'Não encontramos este CEP. Confira os números ou digite o endereço.' },
  ERR_CEP_AWAY: {
    status: 503,
    text: 'A busca de CEP não respondeu. Digite o endereço ou busque de novo daqui a pouco.',
  },
  ERR_MEDIA_TYPE: { status: 422, text: 'Este tipo de arquivo não é aceito.' },
  ERR_MEDIA_LINK: { status: 403, text: 'O link deste arquivo expirou. Abra a conversa de novo.' },

  ERR_WEBCHAT_DOMAIN: { status: 403, text: 'Este site não está autorizado a usar o chat.' },
  ERR_WEBCHAT_IDENTITY: { status: 403, text: 'A identidade informada pelo site não é válida.' },
  ERR_NOT_AUTHORIZED_YET: { status: 409, text: 'Esta conta ainda não foi autorizada. Toque em Autorizar.' },
  ERR_AUTHORIZATION_LOST: {
    status: 409,
    text: 'A autorização desta conta foi retirada. Toque em Autorizar outra vez.',
  },
  ERR_OAUTH_STATE: { status: 422, text: 'Este pedido de autorização expirou ou já foi usado. Comece de novo.' },
  ERR_NO_OAUTH_CLIENT: {
    status: 409,
    text: 'Esta instalação não tem um aplicativo deste provedor. Em Integrações, abra a conta e use um da sua empresa.',
  },
  ERR_EVALUATION_FAILED: { status: 409, text: 'Alguns casos de avaliação não passaram.' },
  ERR_MODEL_AWAY: { status: 502, text: 'O provedor de inteligência artificial não respondeu.' },
  ERR_OAUTH_REFUSED: { status: 502, text: 'O provedor não confirmou a autorização. Tente de novo.' },
  ERR_WEBHOOK_SIGNATURE: { status: 401, text: 'Assinatura inválida.' },
} as const satisfies Record<string, { status: number; text: string }>

export type ErrorCode = keyof typeof errorCodes

export const isErrorCode = (code: string): code is ErrorCode => code in errorCodes

/** The Portuguese sentence of a code, or undefined when the code is not ours. */
export const errorText = (code: string): string | undefined =>
  code in errorCodes ? errorCodes[code as ErrorCode].text : undefined

/** One complaint about one field, ready to be shown under it. */
export type FieldProblem = { path: string; message: string }
/** The body of every answer that is not a success. */
export type ErrorBody = { error: string; message: string; details?: unknown; requestId: string }
