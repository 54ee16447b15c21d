import { Setting } from '@kinora/service-kit/without-nest';
import { IsIn, IsInt, IsString, IsUrl, Max, Min } from 'class-validator';

export class McpConfig {
  @Setting({
    env: 'KINORA_BASE_URL',
    description: 'Address of the API that the tools call, up to and with `/v1`.',
  })
  @IsUrl({ require_tld: false, protocols: ['http', 'https'], require_protocol: true })
  baseUrl!: string;

  @Setting({
    env: 'KINORA_API_KEY',
    secret: true,
    description:
      'API key of the tools over standard input and output. Over HTTP each client sends its own key, and this one is ignored.',
  })
  @IsString()
  apiKey = '';

  @Setting({
    env: 'KINORA_MCP_TRANSPORT',
    description: '`stdio` for a program that an agent starts, `http` for a server that many agents share.',
  })
  @IsIn(['stdio', 'http'])
  transport: 'stdio' | 'http' = 'stdio';

  @Setting({
    env: 'KINORA_MCP_IMAGE_FOLDER',
    description:
      'Folder whose images the tools may read, by paths that the agent names. Empty: the tools read no file. Over HTTP it is ignored.',
  })
  @IsString()
  imageFolder = '';

  @Setting({ env: 'KINORA_MCP_HOST', description: 'Address that the HTTP server listens on.' })
  @IsString()
  host = '127.0.0.1';

  @Setting({ env: 'KINORA_MCP_PORT', description: 'Port of the HTTP server; 0 takes any free one.' })
  @IsInt()
  @Min(0)
  @Max(65_535)
  port = 8090;

  @Setting({
    env: 'KINORA_MCP_ALLOWED_ORIGINS',
    description:
      'Origins of web pages that may call the HTTP server, separated by commas. Programs send no origin and need none.',
  })
  @IsString()
  allowedOrigins = '';

  @Setting({
    env: 'KINORA_MCP_TRUSTED_PROXIES',
    description:
      'Comma-separated list of addresses or CIDRs of proxies before the HTTP server, which carry the connections of many clients.',
  })
  @IsString()
  trustedProxies = '';

  @Setting({
    env: 'KINORA_MCP_ADDRESS_CONNECTIONS_MAX',
    description:
      'Open connections per client address to the HTTP server, which has 1,000 at most. An IPv6 address counts as its /64. Trusted proxies have no such limit.',
  })
  @IsInt()
  @Min(1)
  @Max(1_000)
  addressConnectionsMax = 100;
}
