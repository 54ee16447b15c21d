import { VERSION } from '@kinora/client';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { registerAccountTools } from './tools/account-tools';
import { registerCreationTools } from './tools/creation-tools';
import { registerJobTools } from './tools/job-tools';
import type { ToolContext } from './answers/tool-answer';

const INSTRUCTIONS = `Kinora makes images and videos and charges a prepaid balance.
Ask for a price with quote, or pass max_usd: a dearer request is refused.
create_image, edit_image and create_video answer with a job id at once. Then call wait_for_job until the job has ended.
Never create a job again because a wait was long: wait for the same job id. A job that fails costs nothing.`;

/** The tools for one client (Model Context Protocol, revision 2025-06-18). */
export function createMcpServer(context: ToolContext): McpServer {
  const server = new McpServer({ name: 'kinora', version: VERSION }, { instructions: INSTRUCTIONS });
  registerAccountTools(server, context);
  registerCreationTools(server, context);
  registerJobTools(server, context);
  return server;
}
